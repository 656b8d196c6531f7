# Writes the source file of elenchus_embed(); run with cmake -P.

file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/${PATTERN}")
list(SORT files)
set(entries "")
foreach(path IN LISTS files)
  file(READ "${ROOT}/${path}" content)
  string(APPEND entries "    {R\"embedded(${path})embedded\", R\"embedded(${content})embedded\"sv},\n")
endforeach()

set(text "// Made from data/ by cmake/WriteEmbedded.cmake.\n")
string(APPEND text "#include <array>\n#include <span>\n\n#include \"base/embedded.h\"\n\n")
string(APPEND text "namespace elenchus::${FOLDER} {\n\n")
# With a length of its own: compilers refuse to count the characters of a long text.
string(APPEND text "using namespace std::string_view_literals;\n\n")
string(APPEND text "std::span<const base::EmbeddedFile> embedded_${NAME}();\n\n")
string(APPEND text "std::span<const base::EmbeddedFile> embedded_${NAME}() {\n")
list(LENGTH files count)
string(APPEND text "  static constexpr std::array<base::EmbeddedFile, ${count}> kFiles = {{\n")
string(APPEND text "${entries}  }};\n  return kFiles;\n}\n\n}  // namespace elenchus::${FOLDER}\n")
file(WRITE "${OUTPUT}" "${text}")
