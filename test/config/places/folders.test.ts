import { homedir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { configFolder, dataFolder } from '../../../src/config/places/folders.ts'

const home = homedir()

it.each([
  ['linux', {}, [home, '.config', 'pith'], [home, '.local', 'share', 'pith']],
  ['linux', { XDG_CONFIG_HOME: '/c', XDG_DATA_HOME: '/d' }, ['/c', 'pith'], ['/d', 'pith']],
  ['linux', { XDG_CONFIG_HOME: '', XDG_DATA_HOME: '' }, [home, '.config', 'pith'], [home, '.local', 'share', 'pith']],
  ['darwin', {}, [home, 'Library/Application Support/pith'], [home, 'Library/Application Support/pith']],
  ['win32', {}, [home, 'AppData/Roaming/pith'], [home, 'AppData/Local/pith']],
  ['win32', { APPDATA: '/r', LOCALAPPDATA: '/l' }, ['/r', 'pith'], ['/l', 'pith']],
  ['darwin', { PITH_HOME: '/p' }, ['/p'], ['/p']],
  ['win32', { PITH_HOME: '/p', APPDATA: '/r', LOCALAPPDATA: '/l' }, ['/p'], ['/p']],
] as const)(
  'on %s with %o, configuration and data are in the usual folders of the platform',
  (platform, env, config, data) => {
    expect(configFolder(env, platform)).toBe(join(...config))
    expect(dataFolder(env, platform)).toBe(join(...data))
  },
)
