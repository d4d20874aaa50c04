import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { jsonItem } from '../forms/json-forms.ts'
import type { SetupAgent, SetupWorld } from '../setup-agent.ts'

/** opencode loads a plug-in from an address. The plug-in has `recall`, so there is no server beside it. Seen on 1.18.18. */
export const opencodeSetup: SetupAgent = {
  name: 'opencode',
  title: 'opencode',
  settings: (world) => {
    const address = pathToFileURL(world.packageFile('plugins/opencode/index')).href
    const isOurs = (item: unknown) =>
      typeof item === 'string' && /\/(?:dist|src)\/plugins\/opencode\/index\.[jt]s$/.test(item)
    return [{ what: 'plug-in', file: fileOf(world), form: jsonItem(['plugin'], address, isOurs) }]
  },
}

/** The file that the user has, of the names that opencode reads. */
function fileOf({ env, home, exists }: SetupWorld): string {
  const folder = join(env.XDG_CONFIG_HOME || join(home, '.config'), 'opencode')
  const files = ['opencode.json', 'opencode.jsonc', 'config.json'].map((name) => join(folder, name))
  return files.find(exists) ?? files[0] ?? ''
}
