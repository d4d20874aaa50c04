import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { getAsset, getRawAsset } from 'node:sea'
import { pathToFileURL } from 'node:url'
import { dataFolder } from '../../config/places/folders.ts'
import { ownProgram } from './own-program.ts'
import { unpack } from './unpack.ts'

// The first code of the single executable. Programs and agents load files of the package by their paths, and ripgrep has to be
// a file to be started, so the package is unpacked once for each version and runs from there.
const programs = join(dataFolder(), 'program')
const folder = join(programs, getAsset('name', 'utf8'))
try {
  if (!existsSync(folder)) unpack(Buffer.from(getRawAsset('package')), folder)
  const { flags, file, args } = ownProgram(process.argv.slice(2), programs) ?? {
    flags: [],
    file: join(folder, 'dist', 'cli', 'main.js'),
    args: process.argv.slice(2),
  }
  process.execArgv = [...flags]
  process.argv = [process.execPath, file, ...args]
  void import(pathToFileURL(file).href)
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error)
  process.stderr.write(`pith: cannot unpack its program: ${reason}. Set PITH_HOME to a folder that you can write to.\n`)
  process.exitCode = 1
}
