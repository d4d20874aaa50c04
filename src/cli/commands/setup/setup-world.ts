import { existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { programPath } from '../../../config/program-path.ts'
import { PACKAGE } from '../../process/package.ts'
import type { SetupWorld } from './setup-agent.ts'

/** This machine, as `pith setup` meets it. */
export function setupWorld(env: NodeJS.ProcessEnv = process.env): SetupWorld {
  return {
    env,
    home: homedir(),
    pith: ownCommand(env),
    packageFile,
    builtFile: (name) => join(PACKAGE, 'dist', name),
    exists: (file) => existsSync(file),
  }
}

/** In a checkout the sources are what runs. */
function packageFile(name: string): string {
  return import.meta.filename.endsWith('.ts') ? join(PACKAGE, 'src', `${name}.ts`) : join(PACKAGE, 'dist', `${name}.js`)
}

/** `pith`, where that is this very program; else this Node with this file. */
function ownCommand(env: NodeJS.ProcessEnv): SetupWorld['pith'] {
  const main = packageFile('cli/main')
  const named = programPath('pith', env.PATH ?? '')
  const isThis = named !== undefined && realpathSync(named) === realpathSync(main)
  return isThis ? { command: 'pith', args: [] } : { command: process.execPath, args: [main] }
}
