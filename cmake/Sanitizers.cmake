# MANIPLE_SANITIZE=address,undefined,… instruments the whole tree. -O1 keeps the instrumented build
# short and its reports readable; every finding ends the program.
if(MANIPLE_SANITIZE)
  add_compile_options(-fsanitize=${MANIPLE_SANITIZE} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer -O1)
  add_link_options(-fsanitize=${MANIPLE_SANITIZE} -fno-sanitize-recover=all)
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
endif()
if(MANIPLE_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
# oneTBB comes without instrumentation, so ThreadSanitizer cannot see that handing a block to a
# worker orders memory. Its headers are left out as well, and core's executor states that order.
if(MANIPLE_SANITIZE MATCHES "thread")
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "the tsan build needs clang: gcc has no -fsanitize-ignorelist")
  endif()
  add_compile_options(-fsanitize-ignorelist=${PROJECT_SOURCE_DIR}/cmake/tsan_ignore.txt)
endif()
