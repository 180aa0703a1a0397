#!/bin/bash -eu
# Builds the fuzz targets as OSS-Fuzz and ClusterFuzzLite ask for it: what to
# compile with is in the environment ($CC, $CXX, $CFLAGS, $CXXFLAGS,
# $LIB_FUZZING_ENGINE, $FUZZING_ENGINE, $SANITIZER), sources are in $SRC, what is
# made goes to $WORK, and what is run to $OUT. No network, and nothing installed.
#
#   $SRC/epref                      this repository
#   $SRC/zlib, libzip, cJSON        what the targets link, from source, so that
#                                   it is instrumented as they are, and static:
#                                   nothing of it is there where they are run
#
# fuzz/scripts/check_ossfuzz runs this file without containers, and judges $OUT.

epref="$SRC/epref"
prefix="$WORK/prefix"
build="$WORK/build"
jobs=$(nproc)
rm -rf "$prefix" "$build" "$WORK/zlib" "$WORK/libzip"
mkdir -p "$prefix/include/cjson" "$prefix/lib/pkgconfig" "$WORK/zlib"

# as_sources: how every CMake project here is compiled. The flags are those of
# the environment, and no others: a type of build that CMake knows adds its own.
as_sources=(-G "Unix Makefiles" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_COMPILER="$CC"
            -DCMAKE_C_FLAGS="$CFLAGS")

# package NAME LIBS: what pkg-config says of a library of $prefix. The files of
# the libraries themselves keep what a static one needs apart.
package() {
    printf '%s\n' "Name: $1" "Description: $1" "Version: 1" \
        "Cflags: -I$prefix/include -I$prefix/include/cjson" "Libs: -L$prefix/lib $2" \
        >"$prefix/lib/pkgconfig/$1.pc"
}

# zlib reads links of its hash chains before it writes them, and then does not use
# them. Newer versions tell MemorySanitizer so in the source.
zlib_flags() {
    if [ "$SANITIZER" = memory ]; then
        echo "fun:slide_hash" >"$WORK/zlib.ignorelist"
        echo "-fsanitize-ignorelist=$WORK/zlib.ignorelist"
    fi
}

build_zlib() {
    (cd "$WORK/zlib" && export CHOST='' CFLAGS="$CFLAGS $(zlib_flags)" &&
        "$SRC/zlib/configure" --static --prefix="$prefix" &&
        make -j"$jobs" libz.a && make install)
    package zlib -lz
}

# Deflate is the only compression that an archive of PyTorch may have.
build_libzip() {
    cmake -S "$SRC/libzip" -B "$WORK/libzip" "${as_sources[@]}" \
        -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib -DBUILD_SHARED_LIBS=OFF \
        -DCMAKE_POLICY_VERSION_MINIMUM=3.5 \
        -DZLIB_LIBRARY="$prefix/lib/libz.a" -DZLIB_INCLUDE_DIR="$prefix/include" \
        -DENABLE_COMMONCRYPTO=OFF -DENABLE_GNUTLS=OFF -DENABLE_MBEDTLS=OFF \
        -DENABLE_OPENSSL=OFF -DENABLE_BZIP2=OFF -DENABLE_LZMA=OFF -DENABLE_ZSTD=OFF \
        -DBUILD_TOOLS=OFF -DBUILD_REGRESS=OFF -DBUILD_EXAMPLES=OFF -DBUILD_DOC=OFF
    make -C "$WORK/libzip" -j"$jobs" install
    package libzip "-lzip -lz"
}

# One file, and its own build would make tests and shared libraries too; that build
# asks for ENABLE_LOCALES, without which cJSON misreads "0.5" in some locales.
build_cjson() {
    cp "$SRC/cJSON/cJSON.h" "$prefix/include/cjson/"
    # shellcheck disable=SC2086 # flags are a list of words
    $CC $CFLAGS -DENABLE_LOCALES -c "$SRC/cJSON/cJSON.c" -o "$WORK/cJSON.o"
    ar rcs "$prefix/lib/libcjson.a" "$WORK/cJSON.o"
    package libcjson "-lcjson -lm"
}

# The engine "none" has no main of its own: then it is fuzz/main.c, linked as an
# engine is.
choose_engine() {
    engine="$LIB_FUZZING_ENGINE"
    if [ "$FUZZING_ENGINE" = none ]; then
        engine="$WORK/main.o"
        # shellcheck disable=SC2086 # flags are a list of words
        $CC $CFLAGS -std=c11 -I"$epref/ref/include" -I"$epref/ref/test/support" \
            -c "$epref/fuzz/main.c" -o "$engine"
    fi
}

# What runs a target is written in C++, so $CXX links it, with its own flags and
# libraries.
build_targets() {
    PKG_CONFIG_LIBDIR="$prefix/lib/pkgconfig" \
        cmake -S "$epref" -B "$build" "${as_sources[@]}" \
        -DCMAKE_C_LINK_EXECUTABLE="$CXX $CXXFLAGS <CMAKE_C_LINK_FLAGS> <LINK_FLAGS> <OBJECTS> \
-o <TARGET> <LINK_LIBRARIES>" \
        -DCMAKE_EXE_LINKER_FLAGS=-Wl,--as-needed \
        -DZLIB_LIBRARY="$prefix/lib/libz.a" -DZLIB_INCLUDE_DIR="$prefix/include" \
        -DEPREF_INSTALL=OFF -DEPREF_CLI=OFF -DEPREF_LIBDEFLATE=OFF \
        -DEPREF_FUZZ_ENGINE="$engine" -DEPREF_FUZZ_LIBRARIES=
    # shellcheck disable=SC2046 # a list of words
    make -C "$build" -j"$jobs" $(python3 "$epref/fuzz/oss-fuzz/pack" --list)
}

build_zlib
build_libzip
build_cjson
choose_engine
build_targets
python3 "$epref/fuzz/oss-fuzz/pack" --build="$build/bin" --out="$OUT"
