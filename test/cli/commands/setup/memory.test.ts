import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pith as run } from '../../../support/cli.ts'
import { configFolders } from '../../../support/config-folders.ts'

/** The file of an agent that gets the memory, what it then has, and settings of a user in that file. */
const AGENTS = {
  claude: ['.claude/settings.json', 'memory start --for claude', '{"hooks": {"SessionStart": [], "Stop": []}}\n'],
  codex: ['.codex/hooks.json', 'memory start --for codex', '{\n  "hooks": {}\n}\n'],
  opencode: ['.config/opencode/opencode.json', 'plugins/opencode/memory', '{"plugin": ["other"]}'],
  pi: ['.pi/agent/settings.json', 'plugins/pi/memory', '{ "extensions": [] }\n'],
  gemini: ['.gemini/extensions/pith/hooks/hooks.json', 'memory start --for gemini', undefined],
  copilot: ['.copilot/hooks/pith-memory.json', 'memory start --for copilot', undefined],
  qwen: ['.qwen/settings.json', 'memory start --for qwen', '{"ui": {"theme": "Dark"}, "hooks": {"Stop": []}}'],
} as const

/** A home folder with one agent that only says its version. */
function machine(agent: string) {
  const folders = configFolders()
  const bin = join(folders.home, 'bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, agent), '#!/bin/sh\necho 1.2.3\n')
  chmodSync(join(bin, agent), 0o755)
  const env = { PATH: [bin, '/bin', '/usr/bin'].join(delimiter) }
  return {
    put: (file: string, text: string) => {
      mkdirSync(dirname(join(folders.home, file)), { recursive: true })
      writeFileSync(join(folders.home, file), text)
    },
    text: (file: string) => readFileSync(join(folders.home, file), 'utf8'),
    setup: (...args: string[]) => run(folders, ['setup', ...args], env),
    /** All files of the agent with their texts. */
    files: () =>
      Object.fromEntries(
        readdirSync(folders.home, { recursive: true, encoding: 'utf8' })
          .filter((path) => /^\.(?!local\/share\/pith)/.test(path) && statSync(join(folders.home, path)).isFile())
          .map((path) => [path, readFileSync(join(folders.home, path), 'utf8')]),
      ),
  }
}

describe.each(Object.entries(AGENTS))('pith setup %s', (agent, [file, mention, own]) => {
  it('gives new sessions the memory only with --memory, keeps that, and takes all of it back', async () => {
    const { setup, text, put, files } = machine(agent)
    if (own !== undefined) put(file, own)
    const before = files()
    await setup(agent, '--yes')
    expect(Object.values(files()).join('')).not.toContain(mention)
    expect((await setup()).stdout).not.toContain('memory')

    expect(await setup(agent, '--memory', '--yes')).toMatchObject({ code: 0 })
    expect(text(file)).toContain(mention)
    expect((await setup()).stdout).toMatch(/\bmemory\b/)
    const made = files()
    expect(made).not.toEqual(before)
    expect(await setup(agent, '--yes')).toMatchObject({ code: 0, stderr: expect.stringContaining('already') })
    expect(files()).toEqual(made)

    expect(await setup(agent, '--remove', '--yes')).toMatchObject({ code: 0 })
    expect(files()).toEqual(before)
  })
})
