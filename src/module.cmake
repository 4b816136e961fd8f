# gpuhmm_module(NAME [PROGRAM] FOLDERS folder... [PUBLIC header...] [LINK target...])
#
# Defines the module NAME: the sources of FOLDERS (given from the project's root) as one static library, as an interface
# library if they hold headers only, or with PROGRAM as an executable. A target that links a module may include its
# headers and those of the modules that it links, and no others: every module has an include folder of its own. Its
# links to FOLDERS give a header the path that #include names: src/plan7/model.hpp is "plan7/model.hpp",
# formats/io/input.hpp "formats/io/input.hpp". PUBLIC names the headers of src/gpuhmm that the module implements, all or
# part of them; every module finds these headers.
#
# scripts/check-includes.py reads the calls in src/CMakeLists.txt and checks what a compiler cannot.
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/include/public)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/src/gpuhmm ${PROJECT_BINARY_DIR}/include/public/gpuhmm SYMBOLIC)

function(gpuhmm_module name)
  cmake_parse_arguments(MODULE "PROGRAM" "" "FOLDERS;PUBLIC;LINK" ${ARGN})
  set(include_folder ${PROJECT_BINARY_DIR}/include/${name})
  file(REMOVE_RECURSE ${include_folder}) # may hold links to folders that have moved
  set(sources "")
  foreach(folder IN LISTS MODULE_FOLDERS)
    file(GLOB found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cpp)
    list(APPEND sources ${found})
    string(REGEX REPLACE "^src/" "" included_as ${folder})
    if(NOT EXISTS ${include_folder}/${included_as}) # the link to a parent folder may contain it
      cmake_path(GET included_as PARENT_PATH above)
      file(MAKE_DIRECTORY ${include_folder}/${above})
      file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${folder} ${include_folder}/${included_as} SYMBOLIC)
    endif()
  endforeach()

  set(visibility PUBLIC)
  if(MODULE_PROGRAM)
    add_executable(${name} ${sources})
  elseif(sources)
    add_library(${name} STATIC ${sources})
  else()
    add_library(${name} INTERFACE)
    set(visibility INTERFACE)
  endif()
  target_include_directories(${name} ${visibility} $<BUILD_INTERFACE:${include_folder}>
                             $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include/public>)
  target_link_libraries(${name} ${visibility} ${MODULE_LINK})
endfunction()

# gpuhmm_headers(NAME folder...): an external library of which only the headers in the folders are needed.
function(gpuhmm_headers name)
  add_library(${name} INTERFACE)
  target_include_directories(${name} SYSTEM INTERFACE ${ARGN})
endfunction()
