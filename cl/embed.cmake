# Generates a C++ source with the text of all cl/*.cl files, so that the executable contains its kernels.
# Result: the variable GPUHMM_KERNELS_SOURCE, the path of the source, which defines gpuhmm::kernel_sources()
# (src/opencl/kernel_sources.hpp).
file(GLOB GPUHMM_KERNEL_FILES CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cl)
set(GPUHMM_KERNELS_SOURCE ${PROJECT_BINARY_DIR}/generated/kernel_sources.cpp)
add_custom_command(
  OUTPUT ${GPUHMM_KERNELS_SOURCE}
  COMMAND ${CMAKE_COMMAND} -DOUTPUT=${GPUHMM_KERNELS_SOURCE} "-DFILES=${GPUHMM_KERNEL_FILES}" -P
          ${CMAKE_CURRENT_LIST_DIR}/embed_run.cmake
  DEPENDS ${GPUHMM_KERNEL_FILES} ${CMAKE_CURRENT_LIST_DIR}/embed_run.cmake
  COMMENT "Embedding OpenCL kernels"
  VERBATIM)
