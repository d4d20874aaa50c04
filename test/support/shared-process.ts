import { beforeAll, vi } from 'vitest'

/** Remembers a part of this process. What it returns puts the part back, and names what was changed. */
type Keep = () => () => readonly string[]

/**
 * Fails the test file that leaves the process changed, and puts back what it changed. The next file of the process would fail
 * otherwise, and the cause would be hard to find. What its imports did stays: a library is loaded once, and may listen for signals.
 */
export function leaveProcessAsItWas(): void {
  beforeAll(() => {
    const putBack = keptProcess()
    return () => {
      const changed = putBack()
      if (changed.length > 0) throw new Error(`This file leaves the process changed: ${changed.join(', ')}`)
    }
  })
}

/** Remembers all that test files share, except what modules keep. */
export function keptProcess(): () => readonly string[] {
  const parts = PARTS.map((keep) => keep())
  return () => parts.flatMap((putBack) => putBack())
}

/** Changes the environment in place: the system's own functions, such as the one for the home folder, read no copy. */
export function setEnvironment(values: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (values[name] === undefined) delete process.env[name]
  for (const [name, value] of Object.entries(values)) if (value !== undefined) process.env[name] = value
}

function environment(): () => string[] {
  const before = { ...process.env }
  return () => {
    const names = new Set([...Object.keys(before), ...Object.keys(process.env)])
    const changed = [...names].filter((name) => process.env[name] !== before[name])
    setEnvironment(before)
    return changed.map((name) => `process.env.${name}`)
  }
}

function folder(): () => string[] {
  const before = process.cwd()
  return () => {
    if (folderNow() === before) return []
    process.chdir(before)
    return ['process.cwd()']
  }
}

/** Undefined for a folder that was removed meanwhile. */
function folderNow(): string | undefined {
  try {
    return process.cwd()
  } catch {
    return undefined
  }
}

function timers(): () => string[] {
  return () => {
    if (!vi.isFakeTimers()) return []
    vi.useRealTimers()
    return ['timers']
  }
}

/** A property of an object that is there for the whole process. */
function property<Name extends string>(of: string, owner: { [name in Name]: unknown }, name: Name): Keep {
  return () => {
    const before = owner[name]
    return () => {
      if (owner[name] === before) return []
      owner[name] = before
      return [`${of}.${name}`]
    }
  }
}

const EVENTS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection'] as const

/** Listeners that are added from now on. One for a signal keeps the process alive that the signal should end. */
export function addedListeners(): () => string[] {
  const before = EVENTS.map((event) => [event, process.rawListeners(event)] as const)
  return () =>
    before.flatMap(([event, others]) => {
      const added = process.rawListeners(event).filter((listener) => !others.includes(listener))
      for (const listener of added) process.removeListener(event, listener as () => void)
      return added.length > 0 ? [`listeners for ${event}`] : []
    })
}

const PARTS: readonly Keep[] = [
  environment,
  folder,
  timers,
  addedListeners,
  property('process', process, 'exitCode'),
  property('process.stdout', process.stdout, 'write'),
  property('process.stderr', process.stderr, 'write'),
  ...(['log', 'info', 'warn', 'error', 'debug'] as const).map((name) => property('console', console, name)),
  property('globalThis', globalThis, 'fetch'),
]
