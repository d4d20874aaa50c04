/**
 * A shell command that goes on once a file is there. It does not wait for ever: when a run of the tests is killed, nobody
 * makes the file, and nobody ends the command.
 */
export function commandThatWaits(file: string): string {
  return `until [ -e ${file} ] || [ $SECONDS -gt 120 ]; do sleep 0.05; done`
}
