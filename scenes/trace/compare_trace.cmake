# cmake "-DTRACE=program;arguments" -DTHREADS=N -DGOLDEN=file -P compare_trace.cmake
execute_process(COMMAND ${TRACE} --threads ${THREADS} OUTPUT_VARIABLE got RESULT_VARIABLE status)
file(READ ${GOLDEN} want)
if(NOT status EQUAL 0 OR NOT got STREQUAL want)
  message(FATAL_ERROR "the hash trace differs from ${GOLDEN}")
endif()
