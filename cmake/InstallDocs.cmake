# `make install` asks the program for its man pages and completions, so that they say what it does.

install(CODE [[
  set(prefix "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")
  set(program "${prefix}/bin/elenchus")
  file(MAKE_DIRECTORY "${prefix}/share/man/man1" "${prefix}/share/bash-completion/completions"
       "${prefix}/share/zsh/site-functions" "${prefix}/share/fish/vendor_completions.d")
  execute_process(COMMAND "${program}" help --man-pages "${prefix}/share/man/man1"
                  COMMAND_ERROR_IS_FATAL ANY)
  foreach(pair "bash:bash-completion/completions/elenchus" "zsh:zsh/site-functions/_elenchus"
               "fish:fish/vendor_completions.d/elenchus.fish")
    string(REPLACE ":" ";" pair "${pair}")
    list(GET pair 0 shell)
    list(GET pair 1 file)
    execute_process(COMMAND "${program}" completion ${shell} OUTPUT_FILE "${prefix}/share/${file}"
                    COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
]])
