/** Opens a database of this browser; `make` makes its stores where they are not there yet. */
export function openDatabase(
  name: string,
  version: number,
  make: (database: IDBDatabase) => void,
): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, version)
    request.onupgradeneeded = () => make(request.result)
    request.onsuccess = () => {
      // Another page has a newer version of the editor: it need not wait for this one.
      request.result.onversionchange = () => request.result.close()
      resolve(request.result)
    }
    request.onerror = () => reject(request.error)
  })
}

/** Resolves once everything that the transaction does is stored; rejects where nothing of it is. */
export function isDone(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error)
  })
}

/** Resolves to the result of a request. */
export function resultOf<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
