import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

const TERM_MS = 500
const KILL_MS = 300
const LOOK_MS = 20

/** Ends all processes of a group: politely, and what is still there half a second later by force. */
export async function killGroup(group: number): Promise<void> {
  send(group, 'SIGTERM')
  await goneOrLate(group, TERM_MS)
  if (groupIsAlive(group)) send(group, 'SIGKILL')
  await goneOrLate(group, KILL_MS)
}

/** True while a process of the group runs; one that has ended and was not collected does not. */
export function groupIsAlive(group: number): boolean {
  return send(group, 0) && hasLiving(group)
}

async function goneOrLate(group: number, ms: number): Promise<void> {
  for (let waited = 0; waited < ms && groupIsAlive(group); waited += LOOK_MS) await pause(LOOK_MS)
}

function send(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, signal)
    return true
  } catch (error) {
    // One that we may not signal is there all the same.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** In a container nobody may collect the dead, and they count as members of their group for ever. */
function hasLiving(group: number): boolean {
  if (process.platform !== 'linux') return true
  return readdirSync('/proc').some((name) => /^\d+$/.test(name) && isLivingMember(name, group))
}

function isLivingMember(pid: string, group: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name in brackets may contain anything.
    const [state, , processGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return Number(processGroup) === group && state !== 'Z' && state !== 'X'
  } catch {
    return false
  }
}
