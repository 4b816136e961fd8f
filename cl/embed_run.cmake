# Run at build time by embed.cmake: writes OUTPUT, a C++ source with the text of every file in FILES.
# The text is split into literals of 8,000 characters, well below the length that compilers must accept.
set(body "")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME)
  file(READ ${file} text)
  string(LENGTH "${text}" length)
  set(pieces "")
  set(at 0)
  while(at LESS length)
    string(SUBSTRING "${text}" ${at} 8000 piece)
    string(APPEND pieces "\n     R\"~cl~(${piece})~cl~\"")
    math(EXPR at "${at} + 8000")
  endwhile()
  string(APPEND body "    {\"${name}\",${pieces}},\n")
endforeach()
file(WRITE ${OUTPUT}.new
"// Generated from cl/*.cl; do not edit.
#include \"opencl/kernel_sources.hpp\"

namespace gpuhmm {

const std::map<std::string, std::string>& kernel_sources() {
  static const std::map<std::string, std::string> sources = {
${body}  };
  return sources;
}

}  // namespace gpuhmm
")
execute_process(COMMAND ${CMAKE_COMMAND} -E copy_if_different ${OUTPUT}.new ${OUTPUT})
file(REMOVE ${OUTPUT}.new)
