import { getEventListeners } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { bash } from '../../../../src/agent/tools/bash/bash.ts'
import { TestWorkspace } from '../support.ts'

/** Waits until something is true; the test's own deadline is against waiting forever. */
const until = (check: () => boolean) => vi.waitFor(() => expect(check()).toBe(true), { timeout: 30_000, interval: 10 })

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}

describe('bash', () => {
  it('runs in the workspace and ends with the exit code', async () => {
    const space = new TestWorkspace()
    const { request, output } = await space.call(bash, { command: 'pwd; exit 3' })
    expect(output).toEqual({ text: `${space.folder}\n[exit code: 3]` })
    expect(request).toEqual({ kind: 'command', command: 'pwd; exit 3' })
    const { signal } = new AbortController()
    expect(await space.outputOf(bash, { command: 'true' }, { signal })).toBe('(no output)\n[exit code: 0]')
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('keeps output and errors in the order in which they were written', async () => {
    const space = new TestWorkspace()
    const command = 'for i in 1 2 3 4 5 6 7 8 9; do echo out $i; echo err $i >&2; done'
    const lines = (await space.outputOf(bash, { command })).split('\n')
    expect(lines.slice(0, 6)).toEqual(['out 1', 'err 1', 'out 2', 'err 2', 'out 3', 'err 3'])
  })

  it('has a closed standard input, no terminal and no pager', async () => {
    const space = new TestWorkspace()
    const text = await space.outputOf(bash, {
      command:
        `cat; echo "$TERM $NO_COLOR $PAGER $GIT_PAGER $MANPAGER $\{SYSTEMD_PAGER-unset} $EDITOR $VISUAL $GIT_EDITOR"; ` +
        'echo "$GIT_TERMINAL_PROMPT $DEBIAN_FRONTEND $PIP_NO_INPUT"; test -t 1 || echo no tty',
    })
    expect(text).toBe('dumb 1 cat cat cat  true true true\n0 noninteractive 1\nno tty\n[exit code: 0]')
  })

  it('gives the command the environment of the context and no other', async () => {
    const space = new TestWorkspace()
    const env = { PATH: process.env.PATH ?? '', MINE: 'yes' }
    expect(await space.outputOf(bash, { command: 'echo "$MINE $HOME"' }, { env })).toBe('yes \n[exit code: 0]')
  })

  it('strips escapes and control characters, and takes bytes that are not UTF-8', async () => {
    const space = new TestWorkspace()
    const command = String.raw`printf '\033[31mred\033[0m \033]8;;http://x\007link\033]8;;\007 \377\000 ok\tä\n'`
    expect(await space.outputOf(bash, { command })).toBe('red link \ufffd ok\tä\n[exit code: 0]')
  })

  it('reports output as it comes, without halves of escapes or characters', async () => {
    const space = new TestWorkspace()
    const heard: string[] = []
    const afterTheFirst = 'until [ -e heard ]; do sleep 0.01; done'
    const command = String.raw`printf '\033[31mred\303'; ${afterTheFirst}; printf '\244\033[0m\n'`
    const onOutput = (text: string) => {
      heard.push(text)
      writeFileSync(join(space.folder, 'heard'), '')
    }
    await space.call(bash, { command }, { onOutput })
    expect(heard.join('')).toBe('redä\n')
    expect(heard.length).toBeGreaterThan(1)
  })

  it('keeps a large output whole, and of one beyond 1 MB the head and the tail', async () => {
    const space = new TestWorkspace()
    const whole = await space.outputOf(bash, { command: 'seq 1 100000' })
    expect(whole.split('\n')).toHaveLength(100_001)
    const cut = await space.outputOf(bash, { command: 'seq 1 3000000' })
    expect(cut.length).toBeLessThan(1_010_000)
    expect(cut).toMatch(/^1\n2\n3\n/)
    expect(cut).toMatch(/\n2999999\n3000000\n\[exit code: 0\]$/)
    expect(cut).toMatch(/\n\[… 2\d MB of output left out here …\]\n/)
  })

  it('says which signal killed a command', async () => {
    const space = new TestWorkspace()
    expect(await space.outputOf(bash, { command: 'echo hi; kill -9 $$' })).toBe(
      'hi\n(killed by SIGKILL)\n[exit code: 137]',
    )
  })

  it('kills a command and its children when its time is over, also those that ignore a polite signal', async () => {
    const space = new TestWorkspace()
    const command = `trap '' TERM; (trap '' TERM; sleep 1000) & echo $! > pid; echo started; sleep 1000`
    const { output } = await space.call(bash, { command, timeoutSeconds: 0.3 })
    expect(output).toEqual({
      text: 'started\n(timed out after 0.3 s and was killed, with all it started)\n[exit code: 124]',
      isError: true,
    })
    expect(isAlive(Number(space.text('pid')))).toBe(false)
  })

  it('lets a command clean up that its time is over', async () => {
    const space = new TestWorkspace()
    const command = `trap 'echo bye > bye; exit' TERM; until [ $SECONDS -gt 120 ]; do sleep 0.01; done`
    await space.call(bash, { command, timeoutSeconds: 0.3 })
    expect(space.text('bye')).toBe('bye\n')
  })

  it('kills the whole group on abort and keeps what was written', async () => {
    const space = new TestWorkspace()
    const controller = new AbortController()
    const running = space.call(
      bash,
      { command: 'sleep 1000 & echo $! > pid; echo begun; wait' },
      { signal: controller.signal },
    )
    await until(() => existsSync(join(space.folder, 'pid')) && space.text('pid') !== '')
    controller.abort()
    const { output } = await running
    expect(output).toEqual({
      text: expect.stringMatching(/^begun\n\(aborted by the user.*\)\n\[exit code: 130\]$/),
      isError: true,
    })
    expect(isAlive(Number(space.text('pid')))).toBe(false)
  })

  it('is not held up by something that left the group and keeps the output open', async () => {
    const space = new TestWorkspace()
    const command = 'setsid sleep 1000 & echo $! > pid; sleep 1000'
    const { output } = await space.call(bash, { command, timeoutSeconds: 0.3 })
    process.kill(Number(space.text('pid')))
    expect(output.text).toContain('timed out')
  })

  it('does not start when it was aborted before', async () => {
    const space = new TestWorkspace()
    const { output } = await space.call(bash, { command: 'touch ran' }, { signal: AbortSignal.abort() })
    expect(output.isError).toBe(true)
    expect(existsSync(join(space.folder, 'ran'))).toBe(false)
  })

  it('comes back while something runs in the background, and says how to end it', async () => {
    const space = new TestWorkspace()
    const text = await space.outputOf(bash, { command: 'sleep 1000 & echo $!' })
    const [, pid, group] =
      /^(\d+)\n\(something it started still runs in the background; to end it: kill -- -(\d+)\)\n\[exit code: 0\]$/.exec(
        text,
      ) ?? []
    expect(isAlive(Number(pid))).toBe(true)
    expect(await space.outputOf(bash, { command: `kill -- -${group}` })).toContain('[exit code: 0]')
    await until(() => !isAlive(Number(pid)))
  })

  it('does not end a command that continues to write in the background', async () => {
    const space = new TestWorkspace()
    const command = `(until test -e go; do sleep 0.02; done; echo late; touch lived) &`
    expect(await space.outputOf(bash, { command })).toContain('still runs in the background')
    space.put('go', '')
    await until(() => existsSync(join(space.folder, 'lived')))
  })

  it('says in one line that a command is too long for the system', async () => {
    const space = new TestWorkspace()
    const { output } = await space.call(bash, { command: `: ${'x'.repeat(3_000_000)}` })
    expect(output).toMatchObject({ isError: true, text: expect.stringMatching(/could not be started: .*E2BIG/) })
  })

  it('takes no time limit beyond ten minutes and no empty command', async () => {
    const space = new TestWorkspace()
    expect((await space.call(bash, { command: 'true', timeoutSeconds: 601 })).output.isError).toBe(true)
    expect((await space.call(bash, { command: ' ' })).output.isError).toBe(true)
  })
})
