/*
 * macros.h - what functions that can fail and tables of constants are written with.
 */
#ifndef COMMON_MACROS_H
#define COMMON_MACROS_H

/* Returns false when the expression is false. */
#define TRY(condition)                                                                             \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return false;                                                                          \
    } while (0)

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

#endif
