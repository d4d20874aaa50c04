import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { bundleClaudeCode } from '../../scripts/bundle-plugins.mjs'
import { compacted, lines, said } from '../support/claude-code-lines.ts'

describe('the folder of the Claude Code plug-in', () => {
  const root = mkdtempSync(join(tmpdir(), 'pith-plugin-'))
  const folder = join(root, 'plugin')
  beforeAll(async () => {
    await bundleClaudeCode(folder)
    return () => rmSync(root, { recursive: true, force: true })
  })

  it('has the version of the package, and every file that its hooks name', () => {
    const json = (...path: string[]) => JSON.parse(readFileSync(join(folder, ...path), 'utf8'))
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
    expect(json('.claude-plugin', 'plugin.json')).toMatchObject({ name: 'pith', version })
    const named = JSON.stringify(json('hooks', 'hooks.json')).matchAll(/\$\{CLAUDE_PLUGIN_ROOT\}\/([\w.]+)/g)
    for (const [, file = ''] of named) expect(existsSync(join(folder, file)), file).toBe(true)
    expect(json('.mcp.json').mcpServers.pith).toEqual({ command: 'pith', args: ['mcp'] })
  })

  it('adds what a summary forgot at the first prompt after it, and nothing at any other', () => {
    const { run, data } = world()
    const transcript = join(data, 'session.jsonl')
    writeFileSync(transcript, lines(said(), compacted('Nothing at all.')))
    const input = JSON.stringify({ session_id: 's1', transcript_path: transcript, compact_summary: 'Nothing at all.' })
    expect(run('sh', ['tell.sh', 'UserPromptSubmit'], input)).toEqual({ status: 0, stdout: '', stderr: '' })
    expect(run('node', ['hook.cjs', 'PostCompact'], input)).toEqual({ status: 0, stdout: '', stderr: '' })
    const added = run('sh', ['tell.sh', 'UserPromptSubmit'], input)
    expect(added).toMatchObject({ status: 0, stderr: '' })
    expect(JSON.parse(added.stdout).hookSpecificOutput.additionalContext).toContain('The user also said:\n- #1 ')
    expect(run('sh', ['tell.sh', 'UserPromptSubmit'], input)).toEqual({ status: 0, stdout: '', stderr: '' })
    expect(readdirSync(data).toSorted()).toEqual(['additions', 'session.jsonl'])
  })

  it.each([
    ['no JSON', 'PostCompact', 'what'],
    ['nothing', 'UserPromptSubmit', ''],
  ])('never fails the agent: an input of %s is one line in its own log', (_, event, input) => {
    const { run, data } = world()
    expect(run('node', ['hook.cjs', event], input)).toEqual({ status: 0, stdout: '', stderr: '' })
    expect(readFileSync(join(data, 'hooks.log'), 'utf8').trim().split('\n')).toEqual([
      expect.stringMatching(new RegExp(`^\\d{4}-.*Z ${event}: .*JSON`)),
    ])
  })

  it('never fails the agent if its own folder cannot be written', () => {
    const { run } = world('/dev/null/nowhere')
    const input = JSON.stringify({ session_id: 's1', transcript_path: '/t', compact_summary: '' })
    expect(run('node', ['hook.cjs', 'PostCompact'], input)).toEqual({ status: 0, stdout: '', stderr: '' })
  })

  function world(home?: string) {
    const data = mkdtempSync(join(tmpdir(), 'pith-plugin-data-'))
    onTestFinished(() => rmSync(data, { recursive: true, force: true, maxRetries: 5 }))
    const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter)
    const env = { PATH, HOME: data, PITH_HOME: home ?? data, CLAUDE_CODE_SESSION_ID: 's1' }
    const run = (program: string, [file = '', ...args]: readonly string[], input: string) => {
      const { status, stdout, stderr } = spawnSync(program, [join(folder, file), ...args], {
        env,
        input,
        encoding: 'utf8',
      })
      return { status, stdout, stderr }
    }
    return { data, run }
  }
})
