# Turns every cl/*.cl file into one generated C++ source, so that the executable carries its kernels.
# Result: variable GPUHMM_KERNELS_SOURCE, which defines gpuhmm::kernel_sources() of src/opencl/kernel_sources.hpp.
file(GLOB GPUHMM_KERNEL_FILES CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cl)
set(GPUHMM_KERNELS_SOURCE ${PROJECT_BINARY_DIR}/generated/kernel_sources.cpp)
add_custom_command(
  OUTPUT ${GPUHMM_KERNELS_SOURCE}
  COMMAND ${CMAKE_COMMAND} -DOUTPUT=${GPUHMM_KERNELS_SOURCE} "-DFILES=${GPUHMM_KERNEL_FILES}" -P
          ${CMAKE_CURRENT_LIST_DIR}/embed_run.cmake
  DEPENDS ${GPUHMM_KERNEL_FILES} ${CMAKE_CURRENT_LIST_DIR}/embed_run.cmake
  COMMENT "Embedding OpenCL kernels"
  VERBATIM)
