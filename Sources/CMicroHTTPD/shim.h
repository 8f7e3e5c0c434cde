/* The only file that names libmicrohttpd's header and wraps its variadic functions. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <microhttpd.h>

/*
 * Starts a server on a port of this machine that no other machine reaches, with a thread for each
 * connection, whose callbacks may block. `begin` is called with the raw path of each request.
 */
static inline struct MHD_Daemon *tideline_start(
    uint16_t port, void *context,
    void *(*begin)(void *context, const char *path, struct MHD_Connection *connection),
    MHD_AccessHandlerCallback answer, MHD_RequestCompletedCallback end) {
  struct sockaddr_in address;
  memset(&address, 0, sizeof address);
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return MHD_start_daemon(
      MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL, port,
      NULL, NULL, answer, context,
      MHD_OPTION_SOCK_ADDR, &address,
      MHD_OPTION_URI_LOG_CALLBACK, begin, context,
      MHD_OPTION_NOTIFY_COMPLETED, end, context,
      MHD_OPTION_END);
}

/* Returns the port that a server listens on. */
static inline uint16_t tideline_port(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info ? info->port : 0;
}
