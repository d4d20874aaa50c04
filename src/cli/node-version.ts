/** The oldest Node that Pith runs on; package.json says the same. */
export const NEEDED_NODE = '22.19'

/** The message for a user whose Node is too old, or undefined. */
export function nodeComplaint(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [neededMajor = 0, neededMinor = 0] = NEEDED_NODE.split('.').map(Number)
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return undefined
  return `Node ${NEEDED_NODE} or later is needed, this is ${version}: install Node 24 and run the same command again`
}
