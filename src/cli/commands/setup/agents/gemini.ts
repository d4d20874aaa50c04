import { join } from 'node:path'
import { packageVersion } from '../../../process/package.ts'
import type { SettingForm } from '../forms/setting-form.ts'
import { pithServer, type SetupAgent } from '../setup-agent.ts'

/** Gemini CLI finds an extension in a folder of its own. Seen on 0.61.0. */
export const geminiSetup: SetupAgent = {
  name: 'gemini',
  title: 'Gemini CLI',
  settings: (world) => {
    const folder = join(world.home, '.gemini', 'extensions', 'pith')
    const manifest = { name: 'pith', version: packageVersion(), mcpServers: { pith: pithServer(world) } }
    const text = `${JSON.stringify(manifest, undefined, 2)}\n`
    return [{ what: 'extension', file: join(folder, 'gemini-extension.json'), form: ownFile(text) }]
  },
}

/** A file that is ours from the first to the last character. */
function ownFile(content: string): SettingForm {
  return {
    standing: (text) => (text === '' ? 'off' : text === content ? 'on' : 'outdated'),
    insertion: () => ({ at: 0, text: content, containers: 0 }),
    without: () => '',
    value: (text) => text,
  }
}
