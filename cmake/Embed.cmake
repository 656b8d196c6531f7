# Makes files of data/ part of a library. elenchus_embed(solver profiles data/solvers "*.toml") gives
# the library of src/solver the function
#   std::span<const base::EmbeddedFile> elenchus::solver::embedded_profiles();
# which the folder declares itself, where it is used.

function(elenchus_embed folder name directory pattern)
  if(NOT TARGET elenchus_${folder})
    return()
  endif()
  set(root "${PROJECT_SOURCE_DIR}/${directory}")
  file(GLOB_RECURSE files CONFIGURE_DEPENDS "${root}/${pattern}")
  set(output "${PROJECT_BINARY_DIR}/embedded/${folder}_${name}.cpp")
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DFOLDER=${folder}" "-DNAME=${name}" "-DROOT=${root}"
            "-DPATTERN=${pattern}" "-DOUTPUT=${output}"
            -P "${PROJECT_SOURCE_DIR}/cmake/WriteEmbedded.cmake"
    DEPENDS ${files} "${PROJECT_SOURCE_DIR}/cmake/WriteEmbedded.cmake"
    COMMENT "Embedding ${directory}"
    VERBATIM)
  target_sources(elenchus_${folder} PRIVATE "${output}")
endfunction()
