#include "cli/interrupts.h"

#include <atomic>
#include <csignal>

namespace elenchus::cli {
namespace {

// A signal handler can reach nothing but what is global.
std::atomic<campaign::Control*> watched = nullptr;

void on_signal(int signal) {
  campaign::Control* control = watched;
  if (control == nullptr || control->now) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    return;
  }
  if (control->stop) control->now = true;
  control->stop = true;
}

}  // namespace

Interrupts::Interrupts(campaign::Control& control) {
  watched = &control;
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

Interrupts::~Interrupts() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  watched = nullptr;
}

}  // namespace elenchus::cli
