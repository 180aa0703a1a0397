/*
 * codec/released.h - the versions that PyTorch has released, counted: those that the fast
 * ways of decode and encode know. Which rows they have is decided by the compiler, where
 * all or none of them do.
 */
#ifndef EP_RELEASED_H
#define EP_RELEASED_H

#include "schema/schema.h"

/* A text rather than NULL, which is the list of releases of a version without any. */
#define EP_IS_TEXT(releases) _Generic((releases), char * : 1, default : 0)

#define VERSION(symbol, name, major, minor, last, owner, unions, nulls, nonfinite, ids, treespec,  \
                marker, releases, note)                                                            \
    EP_BEFORE_##symbol, EP_AT_##symbol = EP_BEFORE_##symbol - 1 + EP_IS_TEXT(releases),

/* EP_BEFORE_V8_2: how many released versions are before 8.2. */
enum {
#include "schema/version.def"
    EP_BEFORE_FUTURE
};
#undef VERSION

/* Whether any released version has what is in [since, until), and whether that of a number
 * has it. */
#define EP_IN_ANY(since, until) (EP_BEFORE_##since < EP_BEFORE_##until)
#define EP_IN(release, since, until)                                                               \
    (EP_IN_ANY(since, until) && (EP_BEFORE_##since == 0 || (release) >= EP_BEFORE_##since) &&      \
     (EP_BEFORE_##until == EP_BEFORE_FUTURE || (release) < EP_BEFORE_##until))

/* Of the fast ways: the number of a released version from 0; less for another. */
int ep_release_of(const ep_version *version);

/* What may hold itself, and what holds a whole graph. It is cut, so that no function comes
 * back to itself, and none gives up after much of a program. */
#define EP_IS_CUT(shape)                                                                           \
    ((shape) == EP_SHAPE_Graph || (shape) == EP_SHAPE_GraphModule ||                               \
     (shape) == EP_SHAPE_ExportedProgram || (shape) == EP_SHAPE_dict_Argument)

#endif
