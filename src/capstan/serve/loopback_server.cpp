#include "capstan/serve/loopback_server.hpp"

#include <httplib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>

#include "capstan/errors.hpp"
#include "capstan/serve/client_stream.hpp"
#include "capstan/serve/waiting_room.hpp"

namespace capstan::serve {
namespace {

constexpr int kThreads = 16;
constexpr int kMaxListeners = 4;  // to events; each holds a thread
constexpr std::size_t kPiece = 1 << 18;
constexpr std::size_t kMaxPosted = 16 << 20;
constexpr auto kPatience = std::chrono::seconds(2);      // with a client that takes no more of an answer
constexpr auto kRequestTime = std::chrono::seconds(10);  // for what is too long for the waiting room

void answer(const Reply& reply, httplib::Response& response) {
  response.status = reply.status;
  response.set_content(reply.body, reply.type);
}

/// Refusals say why, for people who meet them in a terminal.
Reply refusal(int status, const std::string& why) { return {.status = status, .body = why + "\n"}; }

/// Whether the request wants all, or one range that begins inside. The library takes the end of a range as it
/// comes, also beyond the end of the file; HTTP wants it cut off there.
bool take_range(const httplib::Request& request, std::size_t size) {
  if (request.ranges.empty()) return true;
  auto& [first, last] = const_cast<httplib::Request&>(request).ranges.front();
  const auto end = static_cast<ssize_t>(size);
  if (request.ranges.size() > 1 || first >= end) return false;
  if (first < 0)
    last = std::min(last, end);  // so many from the end
  else
    last = std::min(last, end - 1);
  return true;
}

}  // namespace

/// Runs tasks where they are: a new connection only has to be taken to the waiting room.
class AtOnce : public httplib::TaskQueue {
 public:
  void enqueue(std::function<void()> task) override { task(); }
  void shutdown() override {}
};

/// Gives a thread only to connections whose request is there. Each has one request, so that no thread waits
/// for the next.
class RequestServer : public httplib::Server {
 public:
  RequestServer() : threads_(std::make_unique<httplib::ThreadPool>(kThreads)) {
    new_task_queue = [] { return new AtOnce; };
    room_ = std::make_unique<WaitingRoom>(
        [this](int socket, std::string received) {
          threads_->enqueue([this, socket, received = std::move(received)] { serve(socket, received); });
        },
        WaitingLimits{.body = kMaxPosted});
  }
  ~RequestServer() override { finish(); }
  /// Sends those away who wait and finishes what is being answered.
  void finish() {
    room_.reset();
    if (threads_) threads_->shutdown();
    threads_.reset();
  }

 private:
  bool process_and_close_socket(socket_t socket) override {
    room_->enter(socket);
    return true;
  }
  void serve(int socket, const std::string& received) {
    ClientStream stream(socket, received, kRequestTime, kPatience);
    bool closed = false;
    process_request(stream, true, closed, nullptr);
    ::shutdown(socket, SHUT_RDWR);
    ::close(socket);
  }

  std::unique_ptr<httplib::ThreadPool> threads_;
  std::unique_ptr<WaitingRoom> room_;
};

struct LoopbackServer::Parts {
  RequestServer server;
  std::thread thread;
  int port = 0;
  std::atomic<int> listeners{0};
  std::atomic<bool> stopping{false};

  bool is_us(const std::string& host) const {
    return host == "127.0.0.1:" + std::to_string(port) || host == "localhost:" + std::to_string(port);
  }
  /// A page elsewhere can make a browser ask us, under a name of its own (DNS rebinding) or across origins.
  /// Why the request is refused; nothing: it is not.
  std::optional<Reply> check(const httplib::Request& request) const {
    if (request.get_header_value_count("Host") != 1 || !is_us(request.get_header_value("Host")))
      return refusal(403, "This server answers to 127.0.0.1:" + std::to_string(port) + " only.");
    const std::string origin = request.get_header_value("Origin");
    if (!origin.empty() && !(origin.starts_with("http://") && is_us(origin.substr(7))))
      return refusal(403, "Requests from other pages are refused.");
    if (request.get_header_value("Sec-Fetch-Site") == "cross-site")
      return refusal(403, "Requests from other pages are refused.");
    if (request.method != "GET" && request.method != "HEAD" && request.method != "POST")
      return refusal(405, "Only GET, HEAD and POST are answered.");
    return {};
  }
};

LoopbackServer::LoopbackServer() : parts_(std::make_unique<Parts>()) {
  httplib::Server& server = parts_->server;
  server.set_payload_max_length(kMaxPosted);
  server.set_tcp_nodelay(true);
  server.set_default_headers({{"X-Content-Type-Options", "nosniff"},
                              {"Cache-Control", "no-store"},
                              {"Referrer-Policy", "no-referrer"},
                              {"Cross-Origin-Resource-Policy", "same-origin"},
                              {"Content-Security-Policy",
                               "default-src 'self' 'unsafe-inline' blob: data:; frame-ancestors 'none'"}});
  server.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
    const std::optional<Reply> refused = parts_->check(request);
    if (!refused) return httplib::Server::HandlerResponse::Unhandled;
    answer(*refused, response);
    return httplib::Server::HandlerResponse::Handled;
  });
  server.set_error_handler([](const httplib::Request&, httplib::Response& response) {
    if (response.body.empty()) answer(refusal(response.status, "Not here."), response);
  });
  server.set_exception_handler([](const auto&, auto& response, const std::exception_ptr& problem) {
    try {
      std::rethrow_exception(problem);
    } catch (const std::exception& error) {
      answer(refusal(500, error.what()), response);
    }
  });
}

LoopbackServer::~LoopbackServer() { stop(); }

void LoopbackServer::get(const std::string& pattern, std::function<Reply(const std::string&)> handler) {
  parts_->server.Get(pattern, [handler](const httplib::Request& request, httplib::Response& response) {
    answer(handler(request.path), response);
  });
}

void LoopbackServer::get_bytes(const std::string& pattern,
                               std::function<std::unique_ptr<Readable>(const std::string&)> handler) {
  parts_->server.Get(pattern, [handler](const httplib::Request& request, httplib::Response& response) {
    const std::shared_ptr<Readable> found = handler(request.path);
    if (!found) return answer(refusal(404, "There is no such file."), response);
    if (!take_range(request, found->size))
      return answer(refusal(416, "One range at a time, inside the file."), response);
    if (found->size == 0) return answer({200, found->type, ""}, response);
    response.set_content_provider(found->size, found->type,
                                  [found](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
                                    const std::string bytes = found->read(offset, std::min(length, kPiece));
                                    return !bytes.empty() && sink.write(bytes.data(), bytes.size());
                                  });
  });
}

void LoopbackServer::post(const std::string& pattern, const std::string& type, std::size_t most,
                          std::function<Reply(const std::string&)> handler) {
  parts_->server.Post(pattern, [=](const httplib::Request& request, httplib::Response& response) {
    if (request.get_header_value("Content-Type") != type)  // a form of another page cannot send this
      return answer(refusal(415, "Expected " + type + "."), response);
    if (request.body.size() > most) return answer(refusal(413, "Too long."), response);
    answer(handler(request.body), response);
  });
}

void LoopbackServer::get_events(const std::string& pattern,
                                std::function<std::function<std::string()>()> subscribe) {
  parts_->server.Get(pattern, [this, subscribe](const httplib::Request&, httplib::Response& response) {
    if (parts_->listeners.fetch_add(1) >= kMaxListeners) {
      parts_->listeners.fetch_sub(1);
      return answer(refusal(503, "Too many pages watch already."), response);
    }
    response.set_chunked_content_provider(
        "text/event-stream",
        [this, next = subscribe()](std::size_t, httplib::DataSink& sink) {
          if (parts_->stopping) return false;
          const std::string event = next();
          const std::string text = event.empty() ? ":\n\n" : event;  // a comment finds out who has left
          return sink.is_writable() && sink.write(text.data(), text.size());
        },
        [this](bool) { parts_->listeners.fetch_sub(1); });
  });
}

void LoopbackServer::start(int port) {
  Parts& parts = *parts_;
  if (port == 0)
    parts.port = parts.server.bind_to_any_port("127.0.0.1");
  else
    parts.port = parts.server.bind_to_port("127.0.0.1", port) ? port : -1;
  if (parts.port < 0)
    throw InputError("port " + std::to_string(port) + " is taken; choose another, or 0 for any free one");
  parts.thread = std::thread([&parts] { parts.server.listen_after_bind(); });
  while (!parts.server.is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void LoopbackServer::stop() {
  parts_->stopping = true;
  parts_->server.stop();
  if (parts_->thread.joinable()) parts_->thread.join();
  parts_->server.finish();
}

int LoopbackServer::port() const { return parts_->port; }

std::string LoopbackServer::url() const { return "http://127.0.0.1:" + std::to_string(parts_->port) + "/"; }

}  // namespace capstan::serve
