/*
 * samples.h - small whole programs of six versions, written by hand in the
 * bytes that PyTorch would write: one for every form of unions, nulls and
 * floats that are not finite.
 */
#ifndef EP_TEST_SAMPLES_H
#define EP_TEST_SAMPLES_H

#include <stddef.h>

typedef struct test_sample {
    const char *version;
    const char *json;
} test_sample;

enum { TEST_SAMPLES = 6 };
extern const test_sample test_samples[TEST_SAMPLES];

/* The sample of a version; ends the test if there is none. */
const char *test_sample_of(const char *version);

#endif
