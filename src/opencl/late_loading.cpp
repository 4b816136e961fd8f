// Forwards the functions of the OpenCL API to the system's libOpenCL.so.1, which is loaded at the first call.
// A run without devices does not load it, and a machine without OpenCL has no platforms. If the program does
// not link because an OpenCL function is missing, add its line here.
#include <dlfcn.h>

#include <string>

#include "gpuhmm/device.hpp"
#include "opencl/cl.hpp"
#include "util/release_process.hpp"

namespace gpuhmm {

namespace {

// The status that the library's clGetPlatformIDs returns if there are no platforms.
constexpr cl_int kNoPlatforms = -1001;

void* library() {
  static void* const handle = [] {
    note_open_files();
    return dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  }();
  return handle;
}

// The library's function `name`. Throws EngineFailure if the library does not have it.
void* function_called(const char* name) {
  void* const found = library() == nullptr ? nullptr : dlsym(library(), name);
  if (found == nullptr) throw EngineFailure(std::string("libOpenCL.so.1 has no ") + name, kNoPlatforms);
  return found;
}

}  // namespace

}  // namespace gpuhmm

cl_int CL_API_CALL clGetPlatformIDs(cl_uint num_entries, cl_platform_id* platforms, cl_uint* num_platforms) {
  if (gpuhmm::library() == nullptr) return gpuhmm::kNoPlatforms;
  static const auto function =
      reinterpret_cast<decltype(&clGetPlatformIDs)>(gpuhmm::function_called("clGetPlatformIDs"));
  return function(num_entries, platforms, num_platforms);
}

#define GPUHMM_FORWARD(result, name, parameters, arguments)                                         \
  result CL_API_CALL name parameters {                                                              \
    static const auto function = reinterpret_cast<decltype(&name)>(gpuhmm::function_called(#name)); \
    return function arguments;                                                                      \
  }

GPUHMM_FORWARD(cl_int, clGetPlatformInfo,
               (cl_platform_id platform, cl_platform_info param_name, size_t param_value_size,
                void* param_value, size_t* param_value_size_ret),
               (platform, param_name, param_value_size, param_value, param_value_size_ret))
GPUHMM_FORWARD(cl_int, clGetDeviceIDs,
               (cl_platform_id platform, cl_device_type device_type, cl_uint num_entries,
                cl_device_id* devices, cl_uint* num_devices),
               (platform, device_type, num_entries, devices, num_devices))
GPUHMM_FORWARD(cl_int, clGetDeviceInfo,
               (cl_device_id device, cl_device_info param_name, size_t param_value_size, void* param_value,
                size_t* param_value_size_ret),
               (device, param_name, param_value_size, param_value, param_value_size_ret))
GPUHMM_FORWARD(cl_int, clRetainDevice, (cl_device_id device), (device))
GPUHMM_FORWARD(cl_int, clReleaseDevice, (cl_device_id device), (device))
GPUHMM_FORWARD(cl_context, clCreateContext,
               (const cl_context_properties* properties, cl_uint num_devices, const cl_device_id* devices,
                void(CL_CALLBACK* pfn_notify)(const char* errinfo, const void* private_info, size_t cb,
                                              void* user_data),
                void* user_data, cl_int* errcode_ret),
               (properties, num_devices, devices, pfn_notify, user_data, errcode_ret))
GPUHMM_FORWARD(cl_int, clRetainContext, (cl_context context), (context))
GPUHMM_FORWARD(cl_int, clReleaseContext, (cl_context context), (context))
GPUHMM_FORWARD(cl_int, clGetContextInfo,
               (cl_context context, cl_context_info param_name, size_t param_value_size, void* param_value,
                size_t* param_value_size_ret),
               (context, param_name, param_value_size, param_value, param_value_size_ret))
GPUHMM_FORWARD(cl_command_queue, clCreateCommandQueue,
               (cl_context context, cl_device_id device, cl_command_queue_properties properties,
                cl_int* errcode_ret),
               (context, device, properties, errcode_ret))
GPUHMM_FORWARD(cl_int, clRetainCommandQueue, (cl_command_queue command_queue), (command_queue))
GPUHMM_FORWARD(cl_int, clReleaseCommandQueue, (cl_command_queue command_queue), (command_queue))
GPUHMM_FORWARD(cl_int, clGetCommandQueueInfo,
               (cl_command_queue command_queue, cl_command_queue_info param_name, size_t param_value_size,
                void* param_value, size_t* param_value_size_ret),
               (command_queue, param_name, param_value_size, param_value, param_value_size_ret))
GPUHMM_FORWARD(cl_mem, clCreateBuffer,
               (cl_context context, cl_mem_flags flags, size_t size, void* host_ptr, cl_int* errcode_ret),
               (context, flags, size, host_ptr, errcode_ret))
GPUHMM_FORWARD(cl_int, clRetainMemObject, (cl_mem memobj), (memobj))
GPUHMM_FORWARD(cl_int, clReleaseMemObject, (cl_mem memobj), (memobj))
GPUHMM_FORWARD(cl_int, clSetMemObjectDestructorCallback,
               (cl_mem memobj, void(CL_CALLBACK* pfn_notify)(cl_mem memobj, void* user_data),
                void* user_data),
               (memobj, pfn_notify, user_data))
GPUHMM_FORWARD(cl_int, clGetMemObjectInfo,
               (cl_mem memobj, cl_mem_info param_name, size_t param_value_size, void* param_value,
                size_t* param_value_size_ret),
               (memobj, param_name, param_value_size, param_value, param_value_size_ret))
GPUHMM_FORWARD(cl_program, clCreateProgramWithSource,
               (cl_context context, cl_uint count, const char** strings, const size_t* lengths,
                cl_int* errcode_ret),
               (context, count, strings, lengths, errcode_ret))
GPUHMM_FORWARD(cl_int, clRetainProgram, (cl_program program), (program))
GPUHMM_FORWARD(cl_int, clReleaseProgram, (cl_program program), (program))
GPUHMM_FORWARD(cl_int, clBuildProgram,
               (cl_program program, cl_uint num_devices, const cl_device_id* device_list, const char* options,
                void(CL_CALLBACK* pfn_notify)(cl_program program, void* user_data), void* user_data),
               (program, num_devices, device_list, options, pfn_notify, user_data))
GPUHMM_FORWARD(cl_int, clGetProgramInfo,
               (cl_program program, cl_program_info param_name, size_t param_value_size, void* param_value,
                size_t* param_value_size_ret),
               (program, param_name, param_value_size, param_value, param_value_size_ret))
GPUHMM_FORWARD(cl_int, clGetProgramBuildInfo,
               (cl_program program, cl_device_id device, cl_program_build_info param_name,
                size_t param_value_size, void* param_value, size_t* param_value_size_ret),
               (program, device, param_name, param_value_size, param_value, param_value_size_ret))
GPUHMM_FORWARD(cl_kernel, clCreateKernel, (cl_program program, const char* kernel_name, cl_int* errcode_ret),
               (program, kernel_name, errcode_ret))
GPUHMM_FORWARD(cl_int, clRetainKernel, (cl_kernel kernel), (kernel))
GPUHMM_FORWARD(cl_int, clReleaseKernel, (cl_kernel kernel), (kernel))
GPUHMM_FORWARD(cl_int, clSetKernelArg,
               (cl_kernel kernel, cl_uint arg_index, size_t arg_size, const void* arg_value),
               (kernel, arg_index, arg_size, arg_value))
GPUHMM_FORWARD(cl_int, clGetKernelInfo,
               (cl_kernel kernel, cl_kernel_info param_name, size_t param_value_size, void* param_value,
                size_t* param_value_size_ret),
               (kernel, param_name, param_value_size, param_value, param_value_size_ret))
GPUHMM_FORWARD(cl_int, clGetKernelWorkGroupInfo,
               (cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info param_name,
                size_t param_value_size, void* param_value, size_t* param_value_size_ret),
               (kernel, device, param_name, param_value_size, param_value, param_value_size_ret))
GPUHMM_FORWARD(cl_int, clEnqueueReadBuffer,
               (cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_read, size_t offset,
                size_t size, void* ptr, cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                cl_event* event),
               (command_queue, buffer, blocking_read, offset, size, ptr, num_events_in_wait_list,
                event_wait_list, event))
GPUHMM_FORWARD(cl_int, clEnqueueWriteBuffer,
               (cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_write, size_t offset,
                size_t size, const void* ptr, cl_uint num_events_in_wait_list,
                const cl_event* event_wait_list, cl_event* event),
               (command_queue, buffer, blocking_write, offset, size, ptr, num_events_in_wait_list,
                event_wait_list, event))
GPUHMM_FORWARD(cl_int, clEnqueueCopyBuffer,
               (cl_command_queue command_queue, cl_mem src_buffer, cl_mem dst_buffer, size_t src_offset,
                size_t dst_offset, size_t size, cl_uint num_events_in_wait_list,
                const cl_event* event_wait_list, cl_event* event),
               (command_queue, src_buffer, dst_buffer, src_offset, dst_offset, size, num_events_in_wait_list,
                event_wait_list, event))
GPUHMM_FORWARD(cl_int, clEnqueueFillBuffer,
               (cl_command_queue command_queue, cl_mem buffer, const void* pattern, size_t pattern_size,
                size_t offset, size_t size, cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                cl_event* event),
               (command_queue, buffer, pattern, pattern_size, offset, size, num_events_in_wait_list,
                event_wait_list, event))
GPUHMM_FORWARD(cl_int, clEnqueueNDRangeKernel,
               (cl_command_queue command_queue, cl_kernel kernel, cl_uint work_dim,
                const size_t* global_work_offset, const size_t* global_work_size,
                const size_t* local_work_size, cl_uint num_events_in_wait_list,
                const cl_event* event_wait_list, cl_event* event),
               (command_queue, kernel, work_dim, global_work_offset, global_work_size, local_work_size,
                num_events_in_wait_list, event_wait_list, event))
GPUHMM_FORWARD(cl_int, clFlush, (cl_command_queue command_queue), (command_queue))
GPUHMM_FORWARD(cl_int, clFinish, (cl_command_queue command_queue), (command_queue))
GPUHMM_FORWARD(cl_int, clWaitForEvents, (cl_uint num_events, const cl_event* event_list),
               (num_events, event_list))
GPUHMM_FORWARD(cl_int, clGetEventInfo,
               (cl_event event, cl_event_info param_name, size_t param_value_size, void* param_value,
                size_t* param_value_size_ret),
               (event, param_name, param_value_size, param_value, param_value_size_ret))
GPUHMM_FORWARD(cl_int, clRetainEvent, (cl_event event), (event))
GPUHMM_FORWARD(cl_int, clReleaseEvent, (cl_event event), (event))
GPUHMM_FORWARD(cl_int, clGetEventProfilingInfo,
               (cl_event event, cl_profiling_info param_name, size_t param_value_size, void* param_value,
                size_t* param_value_size_ret),
               (event, param_name, param_value_size, param_value, param_value_size_ret))
GPUHMM_FORWARD(void*, clEnqueueMapBuffer,
               (cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_map, cl_map_flags map_flags,
                size_t offset, size_t size, cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                cl_event* event, cl_int* errcode_ret),
               (command_queue, buffer, blocking_map, map_flags, offset, size, num_events_in_wait_list,
                event_wait_list, event, errcode_ret))
GPUHMM_FORWARD(cl_int, clEnqueueUnmapMemObject,
               (cl_command_queue command_queue, cl_mem memobj, void* mapped_ptr,
                cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event),
               (command_queue, memobj, mapped_ptr, num_events_in_wait_list, event_wait_list, event))
