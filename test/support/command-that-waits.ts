/**
 * A shell command that continues once a file is there. It does not wait forever: when a run of the tests is killed, no test
 * makes the file or ends the command.
 */
export function commandThatWaits(file: string): string {
  return `until [ -e ${file} ] || [ $SECONDS -gt 120 ]; do sleep 0.05; done`
}
