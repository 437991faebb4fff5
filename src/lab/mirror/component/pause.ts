import { program, type Component } from '../component.ts';

/** The pause program, which holds the network namespace of a pod and reaps orphaned processes. */
export function pause(tags: readonly string[]): Component {
  return {
    name: 'pause',
    version: '3.10.2',
    source: { type: 'c', program: 'pause', code: CODE },
    files: [],
    images: [
      {
        names: tags.map((tag) => `registry.k8s.io/pause:${tag}`),
        layers: [{ type: 'entries', entries: [program('pause', 'pause')] }],
        config: { entrypoint: ['/pause'], user: '65535:65535' },
      },
    ],
  };
}

const CODE = String.raw`#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void end(int signal) { exit(0); }
static void reap(int signal) { while (waitpid(-1, NULL, WNOHANG) > 0); }

int main(void) {
  struct sigaction ending = {.sa_handler = end}, reaping = {.sa_handler = reap, .sa_flags = SA_NOCLDSTOP};
  if (sigaction(SIGINT, &ending, NULL) || sigaction(SIGTERM, &ending, NULL) || sigaction(SIGCHLD, &reaping, NULL))
    return 1;
  for (;;) pause();
}
`;
