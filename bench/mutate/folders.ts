/** The files that are mutated, and the test files that have to find it: globs in `cms/`. Those that come first run first. */
export interface Folder {
  readonly mutated: readonly string[]
  readonly tests: readonly string[]
}

/**
 * By the names that `npm run mutate` takes. The tests do without PostgreSQL and without other processes, and those that
 * take long are left out, also those of how time grows: all that execute a mutant run when none of them finds it.
 */
export const FOLDERS: Readonly<Record<string, Folder>> = {
  'engine/documents': {
    mutated: ['src/engine/{values,operations,save}/**'],
    tests: [
      'src/engine/{values,operations,save}/**',
      'src/features/pieces/{patch,update,insert,replace,change,hooks,limits,rich,hidden,related-min,versions,read}*',
      'src/features/locales/*',
      'src/features/versions/{restore,single,recording,undo,annotate,ai,recent}*',
      'src/features/pages/{states,insert,change-type,protected,parked,read,slugs,move}*',
      'src/features/urls/metadata*',
      'src/features/media/{documents,crop,uploads-link}*',
      'test/{access-matrix,content,content-transactions,declarations,field-access,field-types,hooks,if-match}.test.ts',
      'test/{localize,localize-many,unique,unseen-relationships,written-values,ai-keys}.test.ts',
      'test/{widget-types,moved-items,hidden-values,scheduling*,content-migrations,xliff}.test.ts',
      'test/{draft-slugs,publishing-checks,incomplete-drafts,refused-operations,words-by-ai}.test.ts',
      'test/{gone-choices,reserved-slugs,stored-values,concurrency}.test.ts',
      'src/features/{proposals,scheduling}/*',
      'src/features/pieces/slug*',
      'src/cli/content/content.test.ts',
      'test/interface.test.ts',
    ],
  },
  'engine/access': {
    mutated: ['src/engine/access/**'],
    tests: [
      'src/engine/{access/**,permissions.test.ts}',
      'src/features/access/*',
      'src/features/locales/locales*',
      'src/features/delivery/preview*',
      'src/http/**/callers.test.ts',
      'test/{ai-keys,revoked,access-matrix}.test.ts',
    ],
  },
  'features/pages': {
    mutated: ['src/features/pages/**', 'src/engine/pages/**'],
    tests: [
      'src/features/pages/*',
      'src/features/locales/*',
      'src/features/versions/{restore,list,single}*',
      'src/features/urls/metadata*',
      'src/features/delivery/{pages,locales,preview,addresses,former-urls}*',
      'src/features/pieces/slug-proposals*',
      'test/{access-matrix,bodies,compare,content,field-access,gates,hooks,if-match}.test.ts',
      'test/{changed-site,incomplete-drafts,publishing-checks}.test.ts',
      'test/{localize,localize-many,reserved-slugs,scheduling,unseen-relationships,written-values}.test.ts',
      'src/http/openapi/*',
      'test/interface.test.ts',
    ],
  },
  store: {
    mutated: ['src/store/{documents,lists,tree,versions}/*writer.ts'],
    tests: [
      'src/store/{contract,documents,changes}/*',
      'src/features/pages/{states,insert,move,slugs,pages}*',
      'src/features/pieces/{insert,update,change,search}*',
      'src/features/versions/{recording,prune,recent,restore,packing}*',
      'src/features/media/{documents,clean-media,uploads-link}*',
      'src/features/locales/*',
      'test/{localize,localize-many,unique,compare,locale-names}.test.ts',
    ],
  },
}
