/*
 * base/never.h - conditions that the code around them decides.
 *
 *     if (EP_NEVER(text == NULL)) {
 *         return false;
 *     }
 *
 * They are SQLite's ALWAYS() and NEVER(). A library defends itself against its
 * own mistakes, and no test reaches the defence; these say which branches are
 * such, and each build takes them as it needs to:
 *
 *   otherwise        the condition as it stands: the defence is there
 *   EPREF_ASSERT     tests and fuzzing: the process stops where a condition
 *                    that always holds does not
 *   EPREF_COVERAGE   a constant, so that no branch is counted as missed
 *
 * The condition is evaluated in each of them. They are not for memory that is
 * refused, nor for limits that only an input of many gigabytes meets.
 */
#ifndef EP_NEVER_H
#define EP_NEVER_H

#include <stdbool.h>

#if defined(EPREF_COVERAGE)
#define EP_ALWAYS(x) ((void)(x), true)
#define EP_NEVER(x) ((void)(x), false)
#define EP_UNREACHABLE() __builtin_unreachable()
#elif defined(EPREF_ASSERT)
#define EP_ALWAYS(x) ((x) ? true : (__builtin_trap(), false))
#define EP_NEVER(x) ((x) ? (__builtin_trap(), true) : false)
#define EP_UNREACHABLE() __builtin_trap()
#else
#define EP_ALWAYS(x) (x)
#define EP_NEVER(x) (x)
#define EP_UNREACHABLE() ((void)0)
#endif

#endif
