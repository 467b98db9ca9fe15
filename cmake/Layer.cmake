# maniple_compile_quickly(TARGET)
#
# For programs whose time goes into the libraries they link, tests and the command: -O1 compiles
# them a third faster.
function(maniple_compile_quickly target)
  if(CMAKE_BUILD_TYPE MATCHES "^Rel")
    target_compile_options(${target} PRIVATE -O1)
  endif()
endfunction()

# maniple_fuzz_target(SOURCE [SOURCES more…] LIBS libs… INCLUDES folders…)
#
# A libFuzzer program named after its first source.
function(maniple_fuzz_target source)
  cmake_parse_arguments(F "" "" "SOURCES;LIBS;INCLUDES" ${ARGN})
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} ${source} ${F_SOURCES})
  target_link_libraries(${name} PRIVATE ${F_LIBS})
  target_include_directories(${name} PRIVATE ${F_INCLUDES})
  target_compile_options(${name} PRIVATE -fsanitize=fuzzer)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  set_property(GLOBAL APPEND PROPERTY MANIPLE_FUZZERS ${name})
endfunction()

# maniple_layer(NAME [DETERMINISTIC] [DIR folder] [PUBLIC libs…] [PRIVATE libs…] [TEST_LIBS libs…])
#
# One layer = one static library `maniple_NAME` from src/*.cpp with its own include folder, its
# tests from tests/*_test.cpp as `maniple_NAME_tests`, its fuzz targets from fuzz/*_fuzz.cpp.
# A layer sees only the include folders of the layers it links.
# DETERMINISTIC layers are checked by tools/check_determinism.py for libm and clock imports.
function(maniple_layer name)
  cmake_parse_arguments(L "DETERMINISTIC" "DIR" "PUBLIC;PRIVATE;TEST_LIBS" ${ARGN})
  set(dir ${CMAKE_CURRENT_SOURCE_DIR})
  if(L_DIR)
    set(dir ${CMAKE_CURRENT_SOURCE_DIR}/${L_DIR})
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${dir}/src/*.cpp)
  set(target maniple_${name})
  add_library(${target} STATIC ${sources})
  add_library(maniple::${name} ALIAS ${target})
  target_include_directories(${target} PUBLIC ${dir}/include PRIVATE ${dir}/src)
  target_link_libraries(${target} PUBLIC ${L_PUBLIC} PRIVATE ${L_PRIVATE})
  if(L_DETERMINISTIC)
    set_property(GLOBAL APPEND PROPERTY MANIPLE_DETERMINISTIC_LIBRARIES ${target})
  endif()

  file(GLOB tests CONFIGURE_DEPENDS ${dir}/tests/*_test.cpp)
  # Tests that need more than their layer are for the full tree.
  if(tests AND MANIPLE_WITH_TESTS AND (NOT L_TEST_LIBS OR MANIPLE_SCOPE STREQUAL "full"))
    add_executable(${target}_tests ${tests})
    target_link_libraries(${target}_tests PRIVATE ${target} ${L_PRIVATE} ${L_TEST_LIBS}
                                                  GTest::gmock GTest::gtest_main)
    target_include_directories(${target}_tests PRIVATE ${dir}/src ${dir}/tests
                                                       ${PROJECT_SOURCE_DIR}/tests/support)
    maniple_compile_quickly(${target}_tests)
    gtest_discover_tests(${target}_tests DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300)
  endif()

  file(GLOB fuzzers CONFIGURE_DEPENDS ${dir}/fuzz/*_fuzz.cpp)
  if(MANIPLE_FUZZ)
    foreach(fuzzer ${fuzzers})
      maniple_fuzz_target(${fuzzer} LIBS ${target} ${L_PRIVATE} ${L_TEST_LIBS}
                          INCLUDES ${dir}/src ${dir}/tests ${PROJECT_SOURCE_DIR}/tests/support)
    endforeach()
  endif()
endfunction()
