import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'

/**
 * Overwrites the values of variables where `/proc/PID/environ` shows them. Linux keeps showing the environment with which a
 * process was started, whatever becomes of `process.env`, so every command without a sandbox could read our keys there. Our own
 * variables keep their values. A system that forbids this, or is not Linux, is left as it is.
 */
export function hideKeys(variables: ReadonlyMap<string, string>): void {
  if (process.platform !== 'linux' || variables.size === 0) return
  try {
    const block = readFileSync('/proc/self/environ')
    const start = environAddress()
    const memory = openSync('/proc/self/mem', 'r+')
    try {
      for (const [name, value] of variables) hide(memory, { block, start }, name, value)
    } finally {
      closeSync(memory)
    }
  } catch {
    // The results of tools are cleaned of the keys in any case.
  }
}

type Environ = { readonly block: Buffer; readonly start: number }

function hide(memory: number, { block, start }: Environ, name: string, value: string): void {
  const found = `\0${block.toString('latin1')}`.indexOf(`\0${name}=${Buffer.from(value).toString('latin1')}\0`)
  if (found === -1) return
  // The assignment moves the variable to new memory, so that the old one is no longer read by us.
  process.env[name] = value
  const at = start + found + Buffer.byteLength(name) + 1
  const bytes = Buffer.from(value)
  const there = Buffer.alloc(bytes.length)
  readSync(memory, there, 0, there.length, at)
  if (there.equals(bytes)) writeSync(memory, Buffer.alloc(bytes.length, '*'), 0, bytes.length, at)
}

/** The index of the address of the environment among the fields after the name, which is the second of 52 fields. */
const ENVIRON_FIELD = 47

function environAddress(): number {
  const stat = readFileSync('/proc/self/stat', 'latin1')
  const address = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[ENVIRON_FIELD])
  if (!(address > 0)) throw new Error('the system does not say where the environment is')
  return address
}
