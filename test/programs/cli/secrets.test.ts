import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { WRITABLE_FORMATS } from '../../../src/formats/index.ts'
import { pith } from '../../support/cli.ts'
import { configFolders } from '../../support/config-folders.ts'
import { runWorld } from '../../support/run-world.ts'
import { scriptedBrain } from '../../support/scripted-brain.ts'

const TOKEN = `ghp_${randomBytes(18).toString('hex')}`
const SESSION = [
  { role: 'user', content: `Deploy it with ${TOKEN}` },
  { role: 'assistant', content: `I use ${TOKEN}.` },
  { role: 'user', content: 'Thanks' },
]

describe('a secret', () => {
  it('is left out of exports in every format, and a line says so; the flag keeps it', async () => {
    const folders = configFolders()
    writeFileSync(join(folders.workspace, 'talk.json'), JSON.stringify(SESSION))
    for (const format of WRITABLE_FORMATS) {
      const { stdout, stderr } = await pith(folders, ['export', 'talk.json', '--to', format])
      expect(stdout.includes(TOKEN), format).toBe(false)
      expect(stderr, format).toMatch(/^\d secrets? left out \(GitHub token\)/)
    }
    const kept = await pith(folders, ['export', 'talk.json', '--to', 'markdown', '--with-secrets'])
    expect(kept.stdout).toContain(TOKEN)
    expect(kept.stderr).toBe('')
  })

  it('does not go to another agent', async () => {
    const folders = configFolders()
    writeFileSync(join(folders.workspace, 'talk.json'), JSON.stringify(SESSION))
    const { stderr } = await pith(folders, ['handoff', 'talk.json', '--to', 'claude-code', '--offline'])
    const [, file = ''] = /delete this one file: (.+)/.exec(stderr) ?? []
    expect(existsSync(file)).toBe(true)
    expect(readFileSync(file, 'utf8')).not.toContain(TOKEN)
    await pith(folders, ['compact', 'talk.json', '--offline', '--to', 'codex', '--out', 'out.jsonl'])
    expect(readFileSync(join(folders.workspace, 'out.jsonl'), 'utf8')).not.toContain(TOKEN)
    expect(readdirSync(folders.workspace)).toContain('talk.json')
  })

  it('is left out of the result as JSON, in the record and in the messages that are kept', async () => {
    const folders = configFolders()
    writeFileSync(join(folders.workspace, 'talk.json'), JSON.stringify(SESSION))
    for (const at of [[], ['--at', '2']]) {
      const made = await pith(folders, ['compact', 'talk.json', '--offline', '--json', ...at])
      expect(made).toMatchObject({
        code: 0,
        stderr: expect.stringMatching(/^\d secrets? left out \(GitHub token\)\n$/),
      })
      expect(made.stdout).not.toContain(TOKEN)
      expect(JSON.parse(made.stdout).messages.length).toBeGreaterThan(1)
    }
    const { id } = JSON.parse((await pith(folders, ['import', 'talk.json', '--json'])).stdout)
    const own = await pith(folders, ['compact', id, '--offline', '--json'])
    expect(own.stdout).toContain('"messages"')
    expect(own.stdout).not.toContain(TOKEN)
  })

  it('is reported once to the user who typed it', async () => {
    const world = await runWorld({ brain: scriptedBrain({ steps: [] }) })
    const { stderr, stdout } = await world.here('run', `Deploy with ${TOKEN}`)
    expect(stderr.match(/seems to contain a secret \(GitHub token\)/g)).toHaveLength(1)
    expect(stderr).toContain('/redact #2 removes it from the log')
    expect(stdout).toContain('Done.')
    const { stderr: plain } = await world.here(
      'run',
      'Deploy the long-named-service-of-ours with /usr/local/bin/deploy',
    )
    expect(plain).not.toContain('secret')
  })
})
