/* The one place that says where libcurl comes from, and what of it takes any arguments. */
#include <curl/curl.h>
#include <pthread.h>
#include <signal.h>

static inline CURLcode tideline_set_number(CURL *request, CURLoption option, long value) {
  return curl_easy_setopt(request, option, value);
}

/* The text is copied. */
static inline CURLcode tideline_set_text(CURL *request, CURLoption option, const char *value) {
  return curl_easy_setopt(request, option, value);
}

/* The list has to live as long as the request. */
static inline CURLcode tideline_set_head(CURL *request, struct curl_slist *lines) {
  return curl_easy_setopt(request, CURLOPT_HTTPHEADER, lines);
}

/*
 * What is called for a request with its context: `head` with each line of the answer's head, `body`
 * with pieces of its body, and `give` for the next of what is sent, each byte once.
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

/* Has a body of a length be sent. */
static inline CURLcode tideline_set_length(CURL *request, curl_off_t length) {
  curl_easy_setopt(request, CURLOPT_UPLOAD, 1L);
  return curl_easy_setopt(request, CURLOPT_INFILESIZE_LARGE, length);
}

/*
 * Has nobody wait for the answer to a question for an address that is not wanted any more.
 *
 * Before libcurl 8.14 (its pull request 17320) the thread that asks can be let go of when it is
 * gone already, which ends the process: there it is waited for.
 */
static inline void tideline_set_quick_exit(CURL *request) {
#if LIBCURL_VERSION_NUM >= 0x075700
  if (curl_version_info(CURLVERSION_NOW)->version_num < 0x080e00) return;
  curl_easy_setopt(request, CURLOPT_QUICK_EXIT, 1L);
#endif
}

/* Has this thread not be told by a signal that a connection is gone: that ends processes. */
static inline void tideline_ignore_broken_pipes(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &signals, NULL);
}

static inline CURLMcode tideline_set_connections(CURLM *requests, long count) {
  return curl_multi_setopt(requests, CURLMOPT_MAX_HOST_CONNECTIONS, count);
}

/* The status of an answer, 0 before there is one. */
static inline long tideline_status(CURL *request) {
  long status = 0;
  curl_easy_getinfo(request, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

/* How many bytes of heads were sent, to whichever connection. */
static inline long tideline_sent(CURL *request) {
  long count = 0;
  curl_easy_getinfo(request, CURLINFO_REQUEST_SIZE, &count);
  return count;
}

/* What was given to a request as its context. */
static inline void *tideline_context(CURL *request) {
  char *context = NULL;
  curl_easy_getinfo(request, CURLINFO_PRIVATE, &context);
  return context;
}

/* The context of a request that has ended since this was asked last, and what became of it; NULL
   for none. */
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
