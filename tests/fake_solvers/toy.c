/* A solver to be built with afl-clang-fast, which takes a second. It reads one command per line,
   takes every problem for sat, and counts on no library but C's. Tests with it are about real
   instrumentation and a real fork server. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int starts(const char *line, const char *word) {
  return strncmp(line, word, strlen(word)) == 0;
}

static void echo(const char *line) {
  const char *from = strchr(line, '"');
  const char *to = strrchr(line, '"');
  if (from == NULL || from == to) return;
  printf("%.*s\n", (int)(to - from - 1), from + 1);
}

static void check(unsigned size) {
  if (size > 100) {
    puts("unknown");
  } else if (size > 20) {
    puts(size % 2 == 0 ? "sat" : "unknown");
  } else {
    puts("sat");
  }
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "--version") == 0) {
    puts("Z3 version 0.0.4 - fake");
    return 0;
  }
  static char line[1 << 12];
  unsigned size = 0;
  setvbuf(stdout, NULL, _IONBF, 0);
  while (fgets(line, sizeof line, stdin) != NULL) {
    if (starts(line, "(assert")) size += (unsigned)strlen(line);
    if (starts(line, "(check-sat")) check(size);
    if (starts(line, "(get-model")) puts("(\n)");
    if (starts(line, "(echo")) echo(line);
    if (starts(line, "(crash")) abort();
    if (starts(line, "(hang")) for (;;) {}
    if (starts(line, "(quit")) return 7;
    if (starts(line, "(exit")) return 0;
  }
  return 0;
}
