# Shared by the cross toolchains: static programs that run under qemu-user. libdeflate comes from
# build/sysroot-<arch> and the header-only libraries from build/cross-include, both made by
# tools/prepare_cross.sh. /usr/include itself stays off the path: its libc is the host's.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_C_COMPILER ${MANIPLE_CROSS_TRIPLET}-gcc)
set(CMAKE_CXX_COMPILER ${MANIPLE_CROSS_TRIPLET}-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR ${MANIPLE_CROSS_EMULATOR})
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)

get_filename_component(build_root ${CMAKE_CURRENT_LIST_DIR}/../../build ABSOLUTE)
set(CMAKE_FIND_ROOT_PATH ${build_root}/sysroot-${CMAKE_SYSTEM_PROCESSOR}
                         ${build_root}/cross-include)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_LIBRARY_ARCHITECTURE ${MANIPLE_CROSS_TRIPLET})
set(CMAKE_CXX_STANDARD_INCLUDE_DIRECTORIES ${build_root}/cross-include/usr/include)
