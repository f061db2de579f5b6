/** Where our answers differ from the recorded ones on purpose: by the recording's id, why. */
export const deviations: Readonly<Record<string, string>> = {
  g012: '§2.10: bare ids are accepted wherever a full _id is',
  g019: '§4.2: POST without a target and a position is invalid',
  g024: '§4.2: before home is invalid',
  g026: '§2.12: an explicit slug that is taken is a conflict',
  g031: '§4.2: a published page cannot come below a page without a published copy: invalid',
  g039: '§0.4: body properties that begin with an underscore and are not named are ignored',
  g042: '§4.2: _archive is accepted wherever a page id is',
  g071: '§0.4: unknown query parameters are ignored, and this one is not among those of §4.2',
  g072: '§0.4: unknown query parameters are ignored, and these are not among those of §4.2',
  g075: '§0.4: unknown query parameters are ignored, and this one is not among those of §4.2',
  g095: '§4.2b: bestPage, permissions and attributes of the body, which no front end reads, are left out',
  g111: '§4.2: PUT may leave out target and position, and keeps the position',
  g111b: '§4.2: PUT may leave out target and position, and keeps the position',
  g116: '§4.2: a fixed field of a built-in page is invalid, not a fault of the service',
  g124: '§2.12: an explicit slug that is taken is a conflict',
  g130: '§4.2: a position without a target is invalid',
  g172: '§4.2: removing a draft whose published copy exists is rejected',
  g175: 'the draft before it was not removed, so there is something to remove',
  g157: '§4.2: the home page cannot be archived',
  z002: '§4.2: a target without a position is invalid, not a fault of the service',
  m012: '§4.3: what does not decode is invalid, not a fault of the service',
  m013: '§4.3: an empty file is invalid, not a fault of the service',
  m033: '§2.13: what was never uploaded is invalid',
  m042: '§5.1: the lists of images and files are public',
  m044: '§5.1: the lists of images and files are public',
  m047: '§2.10: full ids are accepted wherever bare ones are',
  m072: '§4.3: a crop outside of the image is invalid, not a fault of the service',
  m073: '§4.3: a crop outside of the image is invalid',
  m074: '§4.3: a crop outside of the image is invalid, not a fault of the service',
  m075: '§4.3: what is not a whole number is invalid',
  m089: '§4.3: a crop answers true',
  m092: '§4.3: names of crops have top first',
  m101: '§4.3: a file has an attachment',
  m115d: '§3: removing a draft whose published copy exists is invalid',
  n022: '§4.5: parameters stand in the query or in the body',
  n035: '§4.5: missing ids are invalid',
  n038: '§4.5: answers list documents that the caller may see, and guests see no drafts',
  n039: '§4.5: ids are a list',
  n040: '§4.5: to anonymous callers a private locale is notfound',
  n042: '§4.5: to anonymous callers a private locale is notfound, and not a fault of the service',
  n073: '§4.7: a nested selector that begins with a colon attaches to its parent directly',
  n093: '§4.7: a value that its field does not take is invalid',
  n096: '§4.7: a value that its field does not take is invalid',
  p007: '§2.12: an explicit slug that is taken is a conflict',
  p016: '§2.13: out of min and max is invalid',
  p018: '§2.13: too long is invalid',
  p022: '§2.13: what is not a boolean is invalid',
  p028: '§2.13: not a choice is invalid',
  p031: '§2.13: not a colour is invalid',
  p034: '§2.13: what is not a list is invalid',
  p035: '§0.4: a string where an object is expected is invalid',
  p037: '§2.15: what names no document is invalid',
  p040: '§2.13: out of min and max is invalid',
  p043: '§2.15: ids that do not exist are invalid',
  p054: '§0.4: body properties that begin with an underscore and are not named are ignored',
  p068c: '§2.13: empty is allowed unless required',
  p090: '§0.4: an unknown locale is invalid',
  p142: '§0.4: a page that is not a whole number of at least 1 is invalid',
  p143: '§0.4: a page that is not a whole number of at least 1 is invalid',
  p144: '§0.4: a page that is not a whole number of at least 1 is invalid',
  p146: '§0.4: a page size that is not a whole number of at least 1 is invalid',
  p172: '§4.1: a value that cannot match gives no results, never all',
  p193: '§4.1: choices and counts are a value, a label and a count',
  p195: '§0.4: unknown query parameters are ignored, and this one is not known',
  p211: '§4.1: project narrows',
  p230: '§4.3: a POST with a query is treated as a GET, which anonymous callers may send',
  p233: '§0.4: an unnamed property of the body is ignored; the required fields are then missing',
  u039: '§4.1: an operator that does not fit is invalid, not a fault of the service',
  u040: '§4.1: unknown operators are invalid',
  u042: '§4.1: unknown operators are invalid',
  u059: '§2.12: an explicit slug that is taken is a conflict',
  u061: '§0.4: an array where an object is expected is invalid',
  u065: '§0.4: body properties that begin with an underscore and are not named are ignored',
  u066: '§0.4: body properties that begin with an underscore and are not named are ignored',
  u068: '§0.4: body properties that begin with an underscore and are not named are ignored',
  u074: '§3: publish answers the published document',
  u133: '§3: removing a draft whose published copy exists is invalid',
  u134: '§5.2: the role is refused, which is no fault of the service',
  x002: '§0.2: an unknown route is notfound, in JSON',
  x007: '§0.4: an array where one value is expected is invalid',
  x008: '§0.4: an object where one value is expected is invalid',
  x012: '§0.4: a sort on an unknown field is invalid',
  x015: '§5.8: anonymous callers see what the public projection names',
  z042: '§3: submitting drafts for review is not offered',
  z044: '§5.10: an unknown visibility is invalid',
}

/** A property that we leave out, on purpose or for now. */
interface LeftOut {
  /** Matched with the whole dotted path. */
  readonly path: RegExp
  /** Only for what this caller was answered. */
  readonly as?: string
  readonly reason: string
}

/** Properties that we leave out on purpose, wherever they are. */
export const propertyDeviations: readonly LeftOut[] = [
  { path: /(^|\.)historicUrls$/, reason: '§4.2: what a page has now is not a former URL' },
  { path: /(^|\.)relatedReverseIds$/, reason: '§2.1: internals never leave' },
  {
    path: /(^|\.)(attachment|att)\.(crop|used|utilized|archived)$|^_prevAttachmentId$/,
    reason: '§2.1: internals never leave',
  },
  {
    path: /(^|\.)\w+Fields\.[a-z0-9]{26}$/,
    reason: '§2.15: fields are stored when the relationship declares some',
  },
  {
    path: /(^|\.)_topics\.\w+$/,
    as: 'anonymous',
    reason: '§2.15: anonymous callers see the related type’s public projection',
  },
  { path: /(^|\.)_topics\.\w+$/, as: 'guest', reason: '§5.3: guests see the public projection' },
]

/** Properties of areas of the service that are not built yet. */
export const comingProperties: readonly LeftOut[] = [
  { path: /^(body|main)\.(field\.group|choices\.icon)$/, reason: 'comes with the editor: groups and icons' },
]

/** Recordings that cannot be sent again, and why. */
export const unsendable: Readonly<Record<string, string>> = {
  a004: 'the header it was sent with was not recorded',
  a005: 'the header it was sent with was not recorded',
}
