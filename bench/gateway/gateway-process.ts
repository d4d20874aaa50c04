import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type GatewayProcess = {
  readonly url: string
  readonly port: number
  /** Everything that it wrote to standard error. */
  errors(): string
  /** Its resident memory in megabytes: now, and at its peak. */
  memory(): { readonly now: number; readonly most: number }
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

type ProcessOptions = {
  readonly mode: string
  readonly home: string
  readonly store: string
  readonly upstream: string
  /** A free one by default. */
  readonly port?: number
}

/** `pith gateway` as users start it, before one provider. */
export async function gatewayProcess({
  mode,
  home,
  store,
  upstream,
  port = 0,
}: ProcessOptions): Promise<GatewayProcess> {
  const program = join(import.meta.dirname, '../../src/cli/main.ts')
  const args = ['gateway', '--port', `${port}`, '--mode', mode, '--upstream', `local=${upstream}`, '--store', store]
  const child = spawn(process.execPath, [program, ...args], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, PITH_HOME: home },
  })
  let errors = ''
  child.stderr.on('data', (text) => {
    errors += text
  })
  const url = await addressOf(child, () => errors)
  return {
    url,
    port: Number(new URL(url).port),
    errors: () => errors,
    memory: () => ({ now: megabytes(child, 'VmRSS'), most: megabytes(child, 'VmHWM') }),
    end: async (signal) => {
      const exit = once(child, 'exit')
      child.kill(signal)
      await exit
    },
  }
}

function addressOf(child: ChildProcess, errors: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    child.stdout?.on('data', (text) => {
      output += text
      const found = /^ +local +(http\S+)\n/m.exec(output)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('exit', (code) => reject(new Error(`the gateway ended with ${code}: ${errors()}`)))
  })
}

function megabytes({ pid }: ChildProcess, name: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${name}:\\s*(\\d+) kB`, 'm').exec(status)?.[1]) / 1_024
}
