import type { Plugin } from 'esbuild'

export const asciiText: Plugin
