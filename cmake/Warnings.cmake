add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                    -Wnon-virtual-dtor -Wold-style-cast -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 reports false positives of these inside libstdc++ containers at -O3.
  add_compile_options(-Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread
                      -Wno-maybe-uninitialized -Wno-restrict -Wno-dangling-pointer)
else()
  # libstdc++ 12's std::stable_sort calls a function that it declares deprecated itself.
  add_compile_options(-Wno-deprecated-declarations)
endif()
