// The messages of zod in fifty languages, of which our programs speak one: 0.4 MB of text to read at each start, and two bytes a character for
// all that stands with them in one file.
export const oneLanguage = {
  name: 'one-language',
  setup(build) {
    build.onResolve({ filter: /locales\/index\.js$/ }, ({ importer }) =>
      /node_modules[\\/]zod[\\/]/.test(importer) ? { path: 'none', namespace: 'one-language' } : undefined,
    )
    build.onLoad({ filter: /./, namespace: 'one-language' }, () => ({ contents: 'export {}' }))
  },
}
