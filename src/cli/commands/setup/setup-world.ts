import { existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { programPath } from '../../../config/places/program-path.ts'
import { PACKAGE } from '../../process/package.ts'
import type { SetupWorld } from './setup-agent.ts'

/** This machine, as `pith setup` meets it. */
export function setupWorld(env: NodeJS.ProcessEnv = process.env): SetupWorld {
  return {
    env,
    home: homedir(),
    pith: ownCommand(packageFile('cli/main'), env.PATH ?? ''),
    packageFile,
    builtFile: (name) => join(PACKAGE, 'dist', name),
    exists: (file) => existsSync(file),
  }
}

/** In a checkout the sources are what runs. */
function packageFile(name: string): string {
  return import.meta.filename.endsWith('.ts') ? join(PACKAGE, 'src', `${name}.ts`) : join(PACKAGE, 'dist', `${name}.js`)
}

/**
 * `pith`, where that is this very program; else this Node with this file. npm and npx put a folder of their own on the path
 * for one command: an agent that is started later does not find `pith` there.
 */
export function ownCommand(main: string, path: string): SetupWorld['pith'] {
  const named = programPath('pith', path)
  const isThis = named !== undefined && !OF_NPM.test(named) && realpathSync(named) === realpathSync(main)
  return isThis ? { command: 'pith', args: [] } : { command: process.execPath, args: [main] }
}

const OF_NPM = /[/\\]node_modules[/\\]\.bin[/\\][^/\\]+$/
