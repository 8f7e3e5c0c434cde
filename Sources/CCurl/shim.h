/* The only file that names libcurl's headers and wraps its variadic functions. */
#include <curl/curl.h>
#include <pthread.h>
#include <signal.h>

static inline CURLcode tideline_set_number(CURL *request, CURLoption option, long value) {
  return curl_easy_setopt(request, option, value);
}

/* Sets a text option; libcurl copies the text. */
static inline CURLcode tideline_set_text(CURL *request, CURLoption option, const char *value) {
  return curl_easy_setopt(request, option, value);
}

/* Sets the lines of the request's head; the list must live as long as the request. */
static inline CURLcode tideline_set_head(CURL *request, struct curl_slist *lines) {
  return curl_easy_setopt(request, CURLOPT_HTTPHEADER, lines);
}

/*
 * Sets the callbacks of a request, which receive its context: `head` gets each line of the
 * response's head, `body` gets pieces of its body, and `give` supplies the next bytes to send, each
 * byte once.
 */
static inline CURLcode tideline_set_context(
    CURL *request, void *context,
    size_t (*head)(char *bytes, size_t size, size_t count, void *context),
    size_t (*body)(char *bytes, size_t size, size_t count, void *context),
    size_t (*give)(char *bytes, size_t size, size_t count, void *context)) {
  curl_easy_setopt(request, CURLOPT_PRIVATE, context);
  curl_easy_setopt(request, CURLOPT_HEADERDATA, context);
  curl_easy_setopt(request, CURLOPT_HEADERFUNCTION, head);
  curl_easy_setopt(request, CURLOPT_WRITEDATA, context);
  curl_easy_setopt(request, CURLOPT_WRITEFUNCTION, body);
  curl_easy_setopt(request, CURLOPT_READDATA, context);
  return curl_easy_setopt(request, CURLOPT_READFUNCTION, give);
}

/* Announces a body of this length to send. */
static inline CURLcode tideline_set_length(CURL *request, curl_off_t length) {
  curl_easy_setopt(request, CURLOPT_UPLOAD, 1L);
  return curl_easy_setopt(request, CURLOPT_INFILESIZE_LARGE, length);
}

/*
 * Keeps a request from waiting for a name resolution that it no longer needs.
 *
 * Before libcurl 8.14 (its pull request 17320), the resolver thread can be detached after it has
 * ended, which crashes the process: older versions wait for the thread.
 */
static inline void tideline_set_quick_exit(CURL *request) {
#if LIBCURL_VERSION_NUM >= 0x075700
  if (curl_version_info(CURLVERSION_NOW)->version_num < 0x080e00) return;
  curl_easy_setopt(request, CURLOPT_QUICK_EXIT, 1L);
#endif
}

/* Blocks SIGPIPE on this thread: by default a broken connection's signal ends the process. */
static inline void tideline_ignore_broken_pipes(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &signals, NULL);
}

static inline CURLMcode tideline_set_connections(CURLM *requests, long count) {
  return curl_multi_setopt(requests, CURLMOPT_MAX_HOST_CONNECTIONS, count);
}

/* What the body's callback returns to pause a request: the same bytes are offered again later. */
static inline size_t tideline_pause(void) { return CURL_WRITEFUNC_PAUSE; }

/* Lets a paused request go on; may call the body's callback. An error may have lost some bytes. */
static inline CURLcode tideline_go_on(CURL *request) {
  return curl_easy_pause(request, CURLPAUSE_CONT);
}

/* Returns the status of a response, or 0 before it arrives. */
static inline long tideline_status(CURL *request) {
  long status = 0;
  curl_easy_getinfo(request, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

/* Returns the number of bytes of heads sent, on any connection. */
static inline long tideline_sent(CURL *request) {
  long count = 0;
  curl_easy_getinfo(request, CURLINFO_REQUEST_SIZE, &count);
  return count;
}

/* Returns the context that a request was given. */
static inline void *tideline_context(CURL *request) {
  char *context = NULL;
  curl_easy_getinfo(request, CURLINFO_PRIVATE, &context);
  return context;
}

/* Returns the context and the result of a request that has ended since the last call, or NULL if
 * none has. */
static inline void *tideline_ended(CURLM *requests, CURLcode *result) {
  int left = 0;
  CURLMsg *message;
  while ((message = curl_multi_info_read(requests, &left))) {
    if (message->msg != CURLMSG_DONE) continue;
    *result = message->data.result;
    return tideline_context(message->easy_handle);
  }
  return NULL;
}
