import { type ChildProcess, spawn } from 'node:child_process'
import { WATCHDOG_SCRIPT } from './watchdog-script.ts'

/**
 * A small shell beside us that ends what we started when we are gone. No program can clean up after `kill -9`, or after a
 * signal that it does not handle; but the pipe between us breaks however we end.
 */
export class Watchdog {
  readonly #child: ChildProcess

  /** `mark`: the beginning of the variable that everything has in its environment that we started. */
  constructor(mark: string) {
    // In a session of its own: closing the terminal does not reach it. Its environment must not have the mark.
    this.#child = spawn('/bin/sh', ['-c', WATCHDOG_SCRIPT, 'pith-watchdog', mark], {
      detached: true,
      env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
      cwd: '/',
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    // Without it only `kill -9` leaves something behind: that is no reason to fail.
    this.#child.on('error', () => {})
    const { stdin } = this.#child
    stdin?.on('error', () => {})
    this.#child.unref()
    if (stdin !== null && 'unref' in stdin && typeof stdin.unref === 'function') stdin.unref()
  }

  /** Names what runs now: `g123` is a process group, `m456` a mount namespace. */
  report(words: readonly string[]): void {
    this.#child.stdin?.write(`${words.join(' ')}\n`)
  }

  /** Lets it end without ending anything. */
  leave(): void {
    this.#child.stdin?.end('leave\n')
  }
}
