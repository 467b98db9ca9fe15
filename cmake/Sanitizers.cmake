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
