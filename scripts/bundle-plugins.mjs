import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { notices, packagesIn } from './notices.mjs'

const root = resolve(import.meta.dirname, '..')
/** The folder of the Agent Skill that every plug-in with skills contains. */
export const SKILL = join(root, 'src', 'plugins', 'skill', 'pith')

/**
 * Writes the folder of the Claude Code plug-in. It is complete by itself, because Claude Code copies it. The hook is one small file, because
 * the agent waits for it; what it starts in the background is another.
 */
export async function bundleClaudeCode(folder) {
  rmSync(folder, { recursive: true, force: true })
  cpSync(join(root, 'src', 'plugins', 'claude-code', 'folder'), folder, { recursive: true })
  await bundle('hook.ts', join(folder, 'hook.cjs'), 'cjs')
  notices(packagesIn(await bundle('prepare.ts', join(folder, 'prepare.mjs'), 'esm')), join(folder, 'licences.txt'))
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  cpSync(SKILL, join(folder, 'skills', 'pith'), { recursive: true })
  const manifest = join(folder, '.claude-plugin', 'plugin.json')
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  writeFileSync(manifest, `${JSON.stringify({ ...JSON.parse(readFileSync(manifest, 'utf8')), version }, null, 2)}\n`)
}

async function bundle(entry, file, format) {
  const input = join('src', 'plugins', 'hooks', entry)
  const made = await rolldown({ cwd: root, input, platform: 'node' })
  const { output } = await made.write({ file, format, codeSplitting: false, minify: format === 'esm' })
  await made.close()
  return output
}
