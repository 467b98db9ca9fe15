set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(MANIPLE_CROSS_TRIPLET aarch64-linux-gnu)
set(MANIPLE_CROSS_EMULATOR qemu-aarch64)
include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)
