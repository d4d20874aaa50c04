import { homedir } from 'node:os'
import { join } from 'node:path'

/** The folder of the user's data: `PITH_HOME`, or else the usual one of the platform. */
export function dataFolder(env: NodeJS.ProcessEnv = process.env, platform: NodeJS.Platform = process.platform): string {
  if (env.PITH_HOME !== undefined && env.PITH_HOME !== '') return env.PITH_HOME
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'pith')
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'pith')
  return join(env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'pith')
}

/** The folder of the user's configuration: `PITH_HOME`, or else the usual one of the platform. */
export function configFolder(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  if (env.PITH_HOME !== undefined && env.PITH_HOME !== '') return env.PITH_HOME
  if (platform === 'win32') return join(env.APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'pith')
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'pith')
  return join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'pith')
}
