#!/bin/bash -eu
# What OSS-Fuzz runs is what ClusterFuzzLite runs.
exec bash -eu "$SRC/epref/fuzz/oss-fuzz/build.sh"
