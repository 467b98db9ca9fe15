# One set of floating-point rules for the whole tree, tests and tools included: a test built under
# other rules would prove nothing about the battle.
#
# -ffp-contract=off   GCC fuses a*b+c into FMA by default wherever the target has it (aarch64,
#                     riscv64, s390x, -march=native). A fused product is not rounded, so the same
#                     source gives other bits than on x86-64 without FMA.
# -fno-fast-math      Re-association and "no NaN" assumptions change results per compiler version.
# -fno-math-errno     sqrt compiles to the exactly rounded instruction instead of a libm call.
# -fno-strict-aliasing  Columns are raw bytes that typed spans view.
# x87 is refused: it keeps 80-bit intermediates.
set(MANIPLE_DETERMINISM_OPTIONS -ffp-contract=off -fno-fast-math -fno-math-errno
                                -fno-strict-aliasing)
# -fno-tree-slp-vectorize  GCC 12 (-O2 and -O3, x86-64) compiles
#                         float x = p[0], y = p[1]; q[0] = x; q[1] = y;     with doubles p and q
#                     to one 16-byte copy: once the pair is a vector, GCC compares the precision of
#                     vector types, which counts lanes and not bits, finds the narrowing to float
#                     as wide as the double and folds it away. The skirmish lost a rounding so.
#                     Loops and clang round; core's RoundsAPairToFloatAndBack watches every build.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND MANIPLE_DETERMINISM_OPTIONS -fno-tree-slp-vectorize)
endif()
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(i.86)$")
  list(APPEND MANIPLE_DETERMINISM_OPTIONS -msse2 -mfpmath=sse)
endif()
add_compile_options(${MANIPLE_DETERMINISM_OPTIONS})
